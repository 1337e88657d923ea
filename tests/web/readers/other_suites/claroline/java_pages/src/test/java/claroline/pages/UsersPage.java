package claroline.pages;

import org.openqa.selenium.By;
import org.openqa.selenium.WebDriver;

public class UsersPage extends Page {
    UsersPage(WebDriver driver) {
        super(driver);
    }

    public UsersPage search(String text) {
        type("search_user", text);
        return this;
    }

    public String cell(int number) {
        return textOf(By.xpath("//td[" + number + "]"));
    }

    public Form createUser() {
        driver.findElement(By.linkText("Create user")).click();
        return new Form();
    }

    public class Form {
        public Form lastName(String text) {
            type("lastname", text);
            return this;
        }

        public Form firstName(String text) {
            type("firstname", text);
            return this;
        }

        public Form account(String name, String password) {
            type("username", name);
            for (String field : java.util.List.of("password", "password_conf")) {
                type(field, password);
            }
            return this;
        }

        public String message() {
            return textOf(By.id("claroBody"));
        }
    }
}
