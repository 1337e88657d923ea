class UserPage {
  get lastName() {
    return cy.get('#lastname');
  }

  field(id) {
    return cy.get(`#${id}`);
  }

  create(user) {
    this.lastName.fillIn(user.lastName);
    this.field('firstname').fillIn(user.firstName);
    this.field('username').type(user.name);
    ['password', 'password_conf'].forEach((id) => this.field(id).type(user.password));
    return this;
  }
}

module.exports = new UserPage();
