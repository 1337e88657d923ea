package claroline.pages;

import claroline.Data;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.FindBy;

public class LoginPage extends Page {
    @FindBy(id = "login")
    private WebElement login;

    @FindBy(id = "password")
    private WebElement password;

    public LoginPage(WebDriver driver) {
        super(driver);
        driver.get("http://localhost/claroline/index.php");
    }

    public HomePage loginAs(Data.Account account) {
        login.sendKeys(account.getName());
        password.sendKeys(account.getPassword(), Keys.ENTER);
        return new HomePage(driver);
    }
}
