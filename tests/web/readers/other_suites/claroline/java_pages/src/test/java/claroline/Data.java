package claroline;

public interface Data {
    String NUMBER = "001";
    String COURSE = "Course" + NUMBER;

    enum Account {
        ADMIN("admin", "admin"),
        USER("user" + NUMBER, String.format("password%s", NUMBER));

        private final String name;
        private final String password;

        Account(String name, String password) {
            this.name = name;
            this.password = password;
        }

        public String getName() {
            return name;
        }

        public String getPassword() {
            return password;
        }
    }
}
