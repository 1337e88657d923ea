package claroline;

import static org.junit.jupiter.api.Assertions.assertTrue;

import claroline.pages.HomePage;
import org.junit.jupiter.api.Test;

class UserTest extends BaseTest {
    @Override
    protected Account account() {
        return Account.USER;
    }

    @Test
    void loginUserTest() {
        HomePage home = loginPage.loginAs(account());
        String shown = home.name();
        assertTrue(shown.contains(person().firstName()) && shown.contains(person().lastName()));
    }

    @Test
    void enrolUserTest() {
        loginPage.loginAs(account()).follow(COURSE);
    }
}
