Cypress.Commands.add('login', (name, password) => {
  cy.visit('/claroline/index.php');
  cy.get('#login').type(name);
  cy.get('#password').type(`${password}{enter}`);
});

Cypress.Commands.add('fillIn', { prevSubject: 'element' }, (subject, value) => {
  cy.wrap(subject).clear().type(value);
});
