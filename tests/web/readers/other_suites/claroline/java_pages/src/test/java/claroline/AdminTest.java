package claroline;

import static claroline.Data.Account.ADMIN;
import static claroline.Data.Account.USER;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import claroline.pages.HomePage;
import claroline.pages.UsersPage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdminTest extends BaseTest {
    private HomePage home;

    @BeforeEach
    void logIn() {
        home = loginPage.loginAs(account());
    }

    @Override
    protected Account account() {
        return ADMIN;
    }

    @Test
    void addUserTest() {
        String message = home.administration()
                .createUser()
                .lastName(person().lastName())
                .firstName(person().firstName())
                .account(USER.getName(), USER.getPassword())
                .message();
        assertEquals("The new user has been created", message);
    }

    @Test
    void searchUserTest() {
        UsersPage users = home.administration().search(USER.getName());
        assertAll(
                () -> assertEquals(person().lastName(), users.cell(1)),
                () -> assertEquals(person().firstName(), users.cell(3)));
    }

    @ParameterizedTest
    @CsvSource({"course_title, " + COURSE})
    void addCourseTest(String field, String course) {
        home.type(field, course);
    }

    @Test
    void searchCourseTest() {
        for (String field : new String[] {"search_course"}) {
            home.type(field, COURSE);
        }
    }
}
