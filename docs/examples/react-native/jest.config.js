// Jest runs CommonJS, so packages that are ES modules alone are transformed.
module.exports = {
  testTimeout: 60_000,
  preset: "@react-native/jest-preset",
  transform: { "\\.mjs$": "babel-jest" },
  transformIgnorePatterns: ["node_modules/(?!(@react-native|react-native|ventanilla|jose|ofetch)/)"],
};
