package claroline;

import claroline.pages.LoginPage;
import org.junit.jupiter.api.BeforeEach;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.PageFactory;

abstract class BaseTest implements Data {
    protected WebDriver driver;
    protected LoginPage loginPage;

    @BeforeEach
    void open() {
        driver = new ChromeDriver();
        loginPage = PageFactory.initElements(driver, LoginPage.class);
    }

    protected abstract Account account();

    protected Person person() {
        return new Person("Name" + NUMBER, "Firstname" + NUMBER);
    }

    record Person(String lastName, String firstName) {}
}
