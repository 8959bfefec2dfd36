module.exports = (api) => ({
  presets: ["babel-preset-expo"],
  // Jest loads with `require` what an app loads when it is needed.
  plugins: api.env("test") ? ["dynamic-import-node"] : [],
});
