package claroline;

import static org.junit.Assert.assertEquals;

import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.firefox.FirefoxDriver;

public class ClarolineTest {
    private WebDriver driver;

    @Before
    public void setUp() {
        driver = new FirefoxDriver();
        driver.get("http://localhost/claroline/index.php");
    }

    @Test
    public void addUserTest() {
        driver.findElement(By.id("login")).sendKeys("admin");
        driver.findElement(By.id("password")).sendKeys("admin");
        driver.findElement(By.xpath("//button")).click();
        driver.findElement(By.linkText("Platform administration")).click();
        driver.findElement(By.linkText("Create user")).click();
        driver.findElement(By.id("lastname")).sendKeys("Name001");
        driver.findElement(By.id("firstname")).sendKeys("Firstname001");
        driver.findElement(By.id("username")).sendKeys("user001");
        driver.findElement(By.id("password")).sendKeys("password001");
        driver.findElement(By.id("password_conf")).sendKeys("password001");
        assertEquals("The new user has been created", driver.findElement(By.xpath("//*[@id='claroBody']")).getText());
        driver.findElement(By.id("logout")).click();
    }

    @Test
    public void searchUserTest() {
        driver.findElement(By.id("login")).sendKeys("admin");
        driver.findElement(By.id("password")).sendKeys("admin");
        driver.findElement(By.xpath("//button")).click();
        driver.findElement(By.linkText("Platform administration")).click();
        driver.findElement(By.id("search_user")).sendKeys("user001");
        driver.findElement(By.cssSelector("input[type='submit']")).click();
        assertEquals("Name001", driver.findElement(By.id("L0")).getText());
        assertEquals("Firstname001", driver.findElement(By.xpath("//td[3]")).getText());
        driver.findElement(By.id("logout")).click();
    }

    @Test
    public void loginUserTest() {
        driver.findElement(By.id("login")).sendKeys("user001");
        driver.findElement(By.id("password")).sendKeys("password001");
        driver.findElement(By.xpath("//button")).click();
        assertEquals("Firstname001", driver.findElement(By.id("userFirstname")).getText());
        assertEquals("Name001", driver.findElement(By.id("userLastname")).getText());
        driver.findElement(By.id("logout")).click();
    }

    @Test
    public void addCourseTest() {
        driver.findElement(By.id("login")).sendKeys("admin");
        driver.findElement(By.id("password")).sendKeys("admin");
        driver.findElement(By.xpath("//button")).click();
        driver.findElement(By.linkText("Create a course site")).click();
        driver.findElement(By.id("course_title")).sendKeys("Course001");
        driver.findElement(By.name("changeProperties")).click();
        driver.findElement(By.id("logout")).click();
    }

    @Test
    public void searchCourseTest() {
        driver.findElement(By.id("login")).sendKeys("admin");
        driver.findElement(By.id("password")).sendKeys("admin");
        driver.findElement(By.xpath("//button")).click();
        driver.findElement(By.linkText("Platform administration")).click();
        driver.findElement(By.id("search_course")).sendKeys("Course001");
        driver.findElement(By.cssSelector("input[type='submit']")).click();
        driver.findElement(By.id("logout")).click();
    }

    @Test
    public void enrolUserTest() {
        driver.findElement(By.id("login")).sendKeys("user001");
        driver.findElement(By.id("password")).sendKeys("password001");
        driver.findElement(By.xpath("//button")).click();
        driver.findElement(By.linkText("Enrol on a new course")).click();
        driver.findElement(By.linkText("Course001")).click();
        driver.findElement(By.id("logout")).click();
    }

    @After
    public void tearDown() {
        driver.quit();
    }
}
