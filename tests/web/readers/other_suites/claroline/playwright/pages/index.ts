export * from './login-page';
export { UserForm as default } from './user-form';
