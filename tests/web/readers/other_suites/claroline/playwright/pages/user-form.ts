import type { Page } from '@playwright/test';

export interface User {
  lastName: string;
  firstName: string;
  name: string;
  password: string;
}

export class UserForm {
  constructor(public page: Page) {}

  private field(id: string) {
    return this.page.locator(`#${id}`);
  }

  async create(user: User) {
    const { lastName, firstName, name, ...rest } = user;
    await this.field('lastname').fill(lastName);
    await this.field('firstname').fill(firstName);
    await this.field('username').fill(name);
    for (const id of ['password', 'password_conf']) {
      await this.field(id).pressSequentially(user.password, { delay: 20 });
    }
  }
}
