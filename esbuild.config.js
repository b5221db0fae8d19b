// Builds everything that runs: the product, the developer tools and the programs the tests spawn.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Native or wasm packages that must stay where npm put them. */
const external = ['libsql', 'state-machine-cat']

const programs = () =>
  readdirSync(`${here}test/programs`)
    .filter(name => name.endsWith('.ts'))
    .map(name => [`test/${name.slice(0, -3)}`, `${here}test/programs/${name}`])

const { version } = JSON.parse(readFileSync(`${here}package.json`, 'utf8'))

/**
 * What every bundle has in common.
 * @type {import('esbuild').BuildOptions}
 */
const common = {
  absWorkingDir: here,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
  define: { __SVC_VERSION__: JSON.stringify(version) },
}

/**
 * The thin entry stays small: the rest of the command line is a module of its own, loaded when it is needed.
 * @type {import('esbuild').Plugin}
 */
const restOfCli = {
  name: 'rest-of-cli',
  setup: ({ onResolve }) => onResolve({ filter: /^\.\/app\.ts$/ }, () => ({ path: './cli.js', external: true })),
}

const buildEntry = async () => {
  await build({
    ...common,
    format: 'cjs',
    entryPoints: { svc: 'src/cli/main.ts' },
    outdir: `${here}dist`,
    outExtension: { '.js': '.cjs' },
    plugins: [restOfCli],
  })
  chmodSync(`${here}dist/svc.cjs`, 0o755)
}

export const buildAll = async () => {
  rmSync(`${here}dist`, { recursive: true, force: true })
  await build({
    ...common,
    splitting: true,
    format: 'esm',
    outdir: `${here}dist`,
    external,
    sourcemap: 'linked',
    // Bundled CommonJS packages ask for `require` at run time.
    banner: {
      js: "import { createRequire as __require } from 'node:module'; const require = __require(import.meta.url);",
    },
    entryPoints: Object.fromEntries([
      ['cli', 'src/cli/app.ts'],
      ['demo', 'src/demo/main.ts'],
      ['dev/statecharts', 'statecharts/main.ts'],
      ['dev/bench', 'test/bench/main.ts'],
      ['dev/json-schema', 'src/contracts/json-schema.ts'],
      ...programs(),
    ]),
  })
  await buildEntry()
  await writeSchemas()
}

/** Every public shape as JSON Schema, one file each, for those who build on the contract in other languages. */
const writeSchemas = async () => {
  const { jsonSchemas } = await import(`${here}dist/dev/json-schema.js`)
  mkdirSync(`${here}dist/schemas`)
  for (const [name, schema] of Object.entries(jsonSchemas())) {
    writeFileSync(`${here}dist/schemas/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll()
