import { testAgainstOracle } from "./against-oracle.ts";
import { loginModel } from "./login-facts.ts";

testAgainstOracle("login", loginModel);
