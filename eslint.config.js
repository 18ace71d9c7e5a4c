import a11y from "eslint-plugin-jsx-a11y";
import hooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

const noState = {
  "no-restricted-imports": [
    "error",
    {
      paths: [
        {
          name: "react",
          importNames: [
            "useState",
            "useReducer",
            "useEffect",
            "useLayoutEffect",
            "useContext",
            "createContext",
          ],
          message:
            "State belongs in the URL, a form or upstream. React state is for enhancement: app/ui/** and *.client.tsx.",
        },
      ],
    },
  ],
};
const lines = (max) => ({ "max-lines": ["error", { max, skipBlankLines: true, skipComments: true }] });

/** The rules about words inside a file; edges between files are tests/architecture/boundaries.cjs. */
export default ts.config(
  { ignores: ["build", "node_modules", "**/*.cjs"] },
  ...ts.configs.strict,
  {
    files: ["app/**/*.{ts,tsx}"],
    plugins: { "react-hooks": hooks },
    rules: { "react-hooks/rules-of-hooks": "error", "react-hooks/exhaustive-deps": "error" },
  },
  { files: ["app/**/*.tsx"], ...a11y.flatConfigs.recommended },
  {
    rules: {
      ...lines(250),
      "no-console": "error",
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  { files: ["tests/**", "**/*.test.{ts,tsx}"], rules: lines(750) },
  { files: ["app/routes/**"], rules: { ...lines(150), ...noState } },
  { files: ["app/features/**", "app/lib/**"], ignores: ["**/*.client.tsx"], rules: noState },
  {
    files: ["app/{contract,lib,ui,features}/**", "server/**"],
    ignores: ["**/*.client.tsx"],
    rules: {
      "no-restricted-exports": [
        "error",
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } },
      ],
    },
  },
  {
    files: ["app/**", "server/**"],
    ignores: ["server/config.ts", "server/start.js", "app/lib/env.server.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        { object: "process", property: "env", message: "Read it in server/config.ts and pass it down." },
      ],
    },
  },
);
