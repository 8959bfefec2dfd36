import type { SandboxBank } from "ventanilla/sandbox";

// People of the bank `test`, whose values stand nowhere else: what shows one of them has leaked it.

const answer = { field: "otp", answer: "answer-canary-51e0" };
export const plain = { username: "username-canary-3b7f", password: "password-canary-90cd" };
export const asked = { ...plain, username: "asked-username-canary-c812", otp: answer.answer };
export const selecting = { ...plain, username: "selecting-username-canary-64aa", company_code: "company-canary-07e9" };

/** All that is typed in, by its name. */
export const typed = {
  ...{ "plain username": plain.username, "asked username": asked.username, "selecting username": selecting.username },
  ...{ password: plain.password, answer: asked.otp, "company code": selecting.company_code },
};

const field = (name: string, more = {}) => ({ name, type: "text", interactive: false, optional: true, ...more });

/** It takes the place of the sandbox's bank of that code. */
export const ownBank: SandboxBank = {
  code: "test",
  country: "UY",
  name: "Test",
  auth_fields: [field("username"), field("password"), field("company_code"), field("otp", { interactive: true })],
  destinations: [{ id: 1, name: "Bank" }],
  accounts: [
    plain,
    { username: asked.username, password: asked.password, answers: [{ ...answer, context: "OTP required" }] },
    {
      username: selecting.username,
      password: selecting.password,
      fields: { company_code: selecting.company_code },
      clients: { 0: "First Client", 1: "Second Client" },
    },
    // Who the sandbox itself has there.
    { username: "12345", password: "gfdsa" },
  ],
};
