package claroline.pages;

import org.openqa.selenium.By;
import org.openqa.selenium.WebDriver;

public class HomePage extends Page {
    public HomePage(WebDriver driver) {
        super(driver);
    }

    public UsersPage administration() {
        follow("Platform administration");
        return new UsersPage(driver);
    }

    public void follow(String link) {
        driver.findElement(By.linkText(link)).click();
    }

    public String name() {
        return textOf(By.id("userName"));
    }
}
