const suffix = '001';

export const admin = { name: 'admin', password: 'admin' };

export const user = {
  lastName: `Name${suffix}`,
  firstName: 'Firstname' + suffix,
  name: `user${suffix}`,
  password: `password${suffix}`,
};

export const COURSE = `Course${suffix}`;
