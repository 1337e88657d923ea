const userPage = require('../support/user-page');

const COURSE = 'Course001';

describe('claroline', () => {
  beforeEach(function () {
    cy.fixture('user.json').as('user');
  });

  context('users', () => {
    it('addUserTest', function () {
      cy.login('admin', 'admin');
      cy.contains('Create user').click();
      userPage.create(this.user);
      cy.contains('The new user has been created').should('be.visible');
    });

    it('searchUserTest', () => {
      cy.login('admin', 'admin');
      cy.fixture('user').then(({ name, lastName, firstName }) => {
        cy.get('#search_user').type(name + '{enter}');
        cy.get('#L0').should('have.text', lastName);
        cy.get('td').eq(3).should('have.text', firstName);
      });
    });

    it('loginUserTest', function () {
      cy.login(this.user.name, this.user.password);
      cy.get('#user').should('contain', this.user.firstName).and('contain', this.user.lastName);
    });
  });

  it('addCourseTest', () => {
    cy.login('admin', 'admin');
    cy.get('#course_title').type(COURSE);
  });

  it('searchCourseTest', () => {
    cy.login('admin', 'admin');
    cy.get('#search_course').type(COURSE, { delay: 0 });
  });

  it('enrolUserTest', () => {
    cy.get('@user').then((user) => {
      cy.login(user.name, user.password);
    });
    cy.contains('a', COURSE).click();
  });
});
