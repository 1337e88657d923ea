import { test, expect } from './fixtures';
import { admin, user, COURSE } from './data';

test.describe('as administrator', () => {
  test.beforeEach(async ({ loginPage }) => {
    await loginPage.loginAs(admin);
  });

  test('addUserTest', async ({ page, userForm }) => {
    await page.getByText('Create user').click();
    await userForm.create(user);
    await expect(page.locator('#claroBody')).toHaveText('The new user has been created');
  });

  test('searchUserTest', async ({ page }) => {
    await page.fill('#search_user', user.name);
    await expect(page.locator('#L0')).toHaveText(user.lastName);
    await expect(page.locator('td').nth(3)).toHaveText(user.firstName);
  });
});

test('loginUserTest', async ({ page, loginPage }) => {
  await loginPage.loginAs(user);
  await test.step('the name is shown', async () => {
    await expect(page.locator('#user')).toHaveText(`${user.firstName} ${user.lastName}`);
  });
});

for (const { title, field } of [
  { title: 'addCourseTest', field: '#course_title' },
  { title: 'searchCourseTest', field: '#search_course' },
]) {
  test(title, async ({ page, loginPage }) => {
    await loginPage.loginAs(admin);
    await page.locator(field).fill(COURSE);
  });
}

test('enrolUserTest', async ({ page, loginPage }) => {
  await loginPage.loginAs(user);
  await page.getByRole('link', { name: COURSE }).click();
});
