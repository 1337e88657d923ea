package claroline.pages;

import org.openqa.selenium.By;
import org.openqa.selenium.WebDriver;

public abstract class Page {
    protected final WebDriver driver;

    protected Page(WebDriver driver) {
        this.driver = driver;
    }

    public void type(String id, CharSequence... keys) {
        driver.findElement(By.id(id)).clear();
        driver.findElement(By.id(id)).sendKeys(keys);
    }

    protected String textOf(By by) {
        return driver.findElement(by).getText();
    }
}
