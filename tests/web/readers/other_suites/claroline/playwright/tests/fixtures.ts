import { test as base } from '@playwright/test';
import UserForm, { LoginPage } from '@pages/index';

export const test = base.extend<{ loginPage: LoginPage; userForm: UserForm }>({
  loginPage: async ({ page }, use) => {
    const loginPage = new LoginPage(page);
    await loginPage.open();
    await use(loginPage);
  },
  userForm: async ({ page }, use) => {
    await use(new UserForm(page));
  },
});

export { expect } from '@playwright/test';
