import { Page, Locator } from '@playwright/test';

export class LoginPage {
  readonly login: Locator;
  readonly password: Locator;

  constructor(private readonly page: Page) {
    this.login = page.locator('#login');
    this.password = page.locator('#password');
  }

  async open() {
    await this.page.goto('/claroline/index.php');
  }

  async loginAs({ name, password }: { name: string; password: string }) {
    await this.login.fill(name);
    await this.password.fill(password);
    await this.page.getByRole('button').click();
  }
}
