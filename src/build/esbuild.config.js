// Builds everything that runs: the product, the developer tools and the programs the tests spawn.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, gzipSync } from 'node:zlib'
import { build as bundle } from 'esbuild'
import { buildLibrary } from './build-library.js'
import { isStampFresh, writeStamp } from './build-stamp.js'

/** The root of the repository. */
const here = fileURLToPath(new URL('../..', import.meta.url))

/** The files that went into the bundles. @type {Set<string>} */
const inputs = new Set()

/** @param {import('esbuild').BuildOptions} options */
const build = async options => {
  /** @type {import('esbuild').BuildOptions & { metafile: true }} */
  const withInputs = { ...options, metafile: true }
  const result = await bundle(withInputs)
  for (const path of Object.keys(result.metafile.inputs)) inputs.add(path)
  return result
}

/** Packages that must stay where npm put them: native and wasm ones, and one that only developer tools use. */
const external = ['@libsql/*', 'node-pty', 'state-machine-cat', 'playwright-core']

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
  alias: {
    '@neon-rs/load': `${here}src/runtime/journal/native-target.ts`,
    'detect-libc': `${here}src/runtime/journal/native-target.ts`,
  },
}

/**
 * ES modules for Node, which find the packages of this repository from wherever in it they are.
 * @type {import('esbuild').BuildOptions}
 */
export const esModules = {
  ...common,
  format: 'esm',
  external,
  // Bundled CommonJS packages ask for `require` at run time.
  banner: {
    js: "import { createRequire as __requireFrom } from 'node:module'; const require = __requireFrom(import.meta.url);",
  },
}

const ENTRY = `${here}src/surfaces/cli/main.ts`
/** Where the heavy half of the command line begins, which the quick half loads once it has something to do. */
const HEAVY = [
  'src/surfaces/cli/devices/apps.ts',
  'src/surfaces/cli/daemon/daemon.ts',
  'src/surfaces/cli/doctor/doctor.ts',
  'src/surfaces/cli/devices/emulators.ts',
  'src/surfaces/cli/fleet/fleet-address.ts',
  'src/surfaces/cli/devices/devices.ts',
  'src/surfaces/cli/fleet/execution.ts',
  'src/surfaces/cli/fleet/hosts.ts',
  'src/surfaces/cli/fleet/permissions.ts',
  'src/surfaces/cli/fleet/session.ts',
  'src/surfaces/cli/fleet/skill-run.ts',
  'src/surfaces/cli/executions/receipts.ts',
  'src/surfaces/cli/journal/from-dump.ts',
  'src/surfaces/cli/journal/journal.ts',
  'src/surfaces/cli/devices/logs.ts',
  'src/surfaces/cli/operator/check.ts',
  'src/surfaces/cli/operator/operator.ts',
  'src/surfaces/cli/devices/settings.ts',
  'src/surfaces/cli/perf/show-figures.ts',
  'src/surfaces/cli/ports/ports.ts',
  'src/surfaces/cli/journal/simulation.ts',
  'src/surfaces/cli/devices/record.ts',
  'src/surfaces/cli/skills/record.ts',
  'src/surfaces/cli/viewer/inspect.ts',
  'src/surfaces/cli/viewer/live-view.ts',
  'src/surfaces/cli/fleet/watch-fleet.ts',
  'src/surfaces/cli/wireless/connect.ts',
  'src/surfaces/cli/wireless/pair.ts',
  'src/start/command.ts',
  'src/start/execution.ts',
  'src/start/server.ts',
  'src/simulator/attach.ts',
  'src/simulator/simulated-phones.ts',
  'src/runtime/threads/pool.ts',
]
const HEAVY_HALF = 'heavy.cjs'
/** @param {string} file */
const heavyName = file => `heavy/${file.slice('src/'.length, -'.ts'.length).replaceAll('/', '-')}`

/** @param {string} file */
const pieceOf = file =>
  file === ENTRY ? 'svc' : `quick/${relative(`${here}src`, file).replaceAll('/', '-').replace(/\.ts$/, '')}`

/** The packages whose code is in the bundles, by their folders. @type {Set<string>} */
const bundled = new Set()

/** @param {import('esbuild').Metafile} metafile */
const noteBundled = ({ outputs }) => {
  const packed = Object.entries(outputs).filter(([file]) => !/^dist\/(dev|test)\//.test(file))
  for (const path of packed.flatMap(([, { inputs }]) => Object.keys(inputs))) {
    const [folder] = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []
    if (folder) bundled.add(folder)
  }
}

/** Beside the licence: who is to be named, and what was bundled into the file that is handed on. */
/** @type {Readonly<Record<string, readonly string[]>>} */
const MORE_LICENCES = { 'node_modules/swagger-ui-dist': ['NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'] }

/** Their licences ask to be passed on with their code. */
const writeLicences = () => {
  const texts = [...bundled].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(`${here}${folder}/package.json`, 'utf8'))
    const file = readdirSync(`${here}${folder}`).find(each => /^(licen[cs]e|copying)/i.test(each))
    const files = [...(file ? [file] : []), ...(MORE_LICENCES[folder] ?? [])]
    const found = files.map(each => readFileSync(`${here}${folder}/${each}`, 'utf8').trim())
    return `${name} ${version}\n\n${found.join('\n\n') || `License: ${license}`}\n`
  })
  writeFileSync(`${here}dist/THIRD-PARTY-LICENSES.txt`, texts.join(`\n${'-'.repeat(80)}\n\n`))
}

/**
 * The quick half is CommonJS in pieces, each read when it is asked for: what `import()` names is a piece of its own. An
 * `import()` of CommonJS would go through the loader of ES modules and cost more than all the rest, so it becomes
 * `require`.
 * @param {string} file
 */
const buildPiece = async file => {
  /** By the name under which the piece asks for it. @type {Map<string, string>} */
  const named = new Map()
  const from = dirname(`${here}dist/${pieceOf(file)}`)
  /** @type {import('esbuild').Plugin} */
  const pieces = {
    name: 'pieces',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined
        const target = resolve(resolveDir, path)
        const isHeavy = HEAVY.includes(relative(here, target))
        const built = `${isHeavy ? heavyName(relative(here, target)) : pieceOf(target)}.cjs`
        const way = relative(from, `${here}dist/${built}`)
        const asksFor = way.startsWith('.') ? way : `./${way}`
        if (!isHeavy) named.set(asksFor, target)
        return { path: asksFor, external: true }
      }),
  }
  const { metafile } = await build({
    ...common,
    format: 'cjs',
    entryPoints: { [pieceOf(file)]: file },
    outdir: `${here}dist`,
    outExtension: { '.js': '.cjs' },
    external,
    minify: true,
    sourcemap: 'linked',
    supported: { 'dynamic-import': false },
    plugins: [pieces],
  })
  noteBundled(metafile)
  // Of what its modules name, the piece asks for what is left of them.
  const asked = new Set(Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path)))
  return [...named].flatMap(([path, target]) => (asked.has(path) ? [target] : []))
}

/**
 * A module of the sources, as it is now, for the build itself.
 * @param {string} entry
 */
const loadSource = async entry => {
  const { outputFiles = [] } = await bundle({
    ...common,
    entryPoints: [`${here}${entry}`],
    write: false,
    format: 'esm',
    minifySyntax: true,
  })
  const [file] = outputFiles
  return import(`data:text/javascript;base64,${Buffer.from(file?.contents ?? '').toString('base64')}`)
}

/** Every character beyond ASCII as an escape: a file of ASCII is decoded twenty times as fast. @param {string} file */
const writeAsAscii = file => {
  const text = readFileSync(file, 'utf8')
  // esbuild leaves them in regular expressions alone, where they mean the same.
  const escaped = text.replace(/[^\0-\x7f]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (escaped !== text) writeFileSync(file, escaped)
}

/**
 * One file, in which each module is evaluated when it is first asked for. To find, read, link and compile it in pieces, as
 * ES modules, took twice as long as all that most commands do.
 */
const buildHeavyHalf = async () => {
  const loads = HEAVY.map(file => `${JSON.stringify(file)}: () => import('./${file}')`)
  const { metafile } = await build({
    ...common,
    format: 'cjs',
    stdin: { contents: `exports.load = {${loads}}`, resolveDir: here, loader: 'js' },
    outfile: `${here}dist/${HEAVY_HALF}`,
    external,
    // Names stay, for they are what a stack trace tells.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: 'linked',
    supported: { 'dynamic-import': false },
    define: { ...common.define, 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(module.filename).href;" },
  })
  noteBundled(metafile)
  writeAsAscii(`${here}dist/${HEAVY_HALF}`)
  mkdirSync(`${here}dist/heavy`, { recursive: true })
  for (const file of HEAVY) {
    const way = `${here}dist/${heavyName(file)}.cjs`
    const text = `exports.then = (take, fail) => require('../${HEAVY_HALF}').load['${file}']().then(take, fail)\n`
    writeFileSync(way, text)
  }
}

const buildQuickHalf = async () => {
  const files = new Set([ENTRY])
  for (const file of files) for (const wanted of await buildPiece(file)) files.add(wanted)
  for (const file of files) writeAsAscii(`${here}dist/${pieceOf(file)}.cjs`)
  chmodSync(`${here}dist/svc.cjs`, 0o755)
}

/** What the contract determines of the library, and the texts of help topics: they are not kept, so that nobody edits them. */
const writeGenerated = async () => {
  const { writeGeneratedFiles } = await loadSource('src/build/docs/generated/generated-files.ts')
  writeGeneratedFiles(here)
}

const CHARTS = 'statecharts/main.ts'

/** Only what draws the charts: the rest of the build stays as it is. */
const buildCharts = () =>
  build({ ...common, format: 'esm', external, entryPoints: { 'dev/statecharts': CHARTS }, outdir: `${here}dist` })

const DOCS = 'src/build/docs/main.ts'

/** Only what writes the generated parts of `docs/`: the pages may be such that they cannot be rendered yet. */
const buildDocsWriter = () => build({ ...esModules, entryPoints: { 'dev/docs': DOCS }, outdir: `${here}dist` })

/** What threads of tinypool begin with: it looks in `entry`, seen from its own code. */
const POOL_THREAD = `${here}node_modules/tinypool/dist/entry/worker.js`

/** What runs in threads, each by itself: a thread reads one file. */
const buildThreads = async () => {
  const { metafile } = await build({
    ...esModules,
    // Node reads every byte of it at each start. Names stay, for they are what a stack trace tells.
    minifyWhitespace: true,
    minifySyntax: true,
    outdir: `${here}dist`,
    sourcemap: 'linked',
    entryPoints: {
      'threads/validate': 'src/service/skills/validate/thread.ts',
      'threads/upkeep': 'src/start/upkeep-thread.ts',
      'threads/screen': 'src/service/executions/screens/thread.ts',
      'threads/pattern': 'src/device/pattern-thread.ts',
      'threads/xpath': 'src/device/screen/locators/xpath/thread.ts',
      'entry/worker': POOL_THREAD,
    },
  })
  noteBundled(metafile)
}

const SCRIPTS = 'src/service/flows/script'

/** The process in which the scripts of flows run, and beside it the bundles that it reads as text into their context. */
const buildFlowScripts = async () => {
  /** @type {import('esbuild').BuildOptions} */
  const shape = { ...common, minifyWhitespace: true, minifySyntax: true, outdir: `${here}dist/flow-scripts` }
  const program = await build({
    ...shape,
    format: 'cjs',
    entryPoints: [`${SCRIPTS}/program/program.ts`],
    outExtension: { '.js': '.cjs' },
    sourcemap: 'linked',
  })
  const realm = await build({
    ...shape,
    platform: 'neutral',
    format: 'iife',
    globalName: 'exported',
    entryPoints: [`${SCRIPTS}/realm/realm.ts`, `${SCRIPTS}/faker/faker.ts`],
    entryNames: '[name]',
  })
  for (const { metafile } of [program, realm]) noteBundled(metafile)
}

/** The developer tools and the programs of the tests. They share nothing with the product, whose pieces would be smaller and more. */
const buildDeveloperTools = async () => {
  await build({
    ...esModules,
    splitting: true,
    outdir: `${here}dist`,
    chunkNames: 'dev/[name]-[hash]',
    sourcemap: 'linked',
    entryPoints: Object.fromEntries([
      ['dev/demo', 'src/build/demo/main.ts'],
      ['dev/demo-crash', 'src/build/demo/crash.ts'],
      ['dev/demo-fleet', 'src/build/demo/fleet.ts'],
      ['dev/picture', 'src/build/demo/picture.ts'],
      ['dev/viewer-pictures', 'src/build/demo/viewer-pictures.ts'],
      ['dev/statecharts', CHARTS],
      ['dev/docs', DOCS],
      ['dev/docs-site', 'src/build/docs/site/site.ts'],
      ['dev/inspect', 'src/build/demo/inspect.ts'],
      ['dev/bench', 'test/bench/main.ts'],
      ['dev/json-schema', 'src/contracts/json/json-schema.ts'],
      ['dev/scenario-schema', 'src/simulator/scenario/json-schema.ts'],
      ['dev/helper-apks', 'src/device/operators/uiautomator/helper-apks.ts'],
      ['dev/simulate', 'test/simulation/main.ts'],
      ['dev/fuzz', 'test/fuzz/main.ts'],
      ['dev/entry/worker', POOL_THREAD],
      ...programs(),
    ]),
  })
}

const buildAll = async () => {
  inputs.clear()
  await writeGenerated()
  rmSync(`${here}dist`, { recursive: true, force: true })
  await buildHeavyHalf()
  await buildThreads()
  for (const metafile of await buildLibrary(build, common)) noteBundled(metafile)
  await buildFlowScripts()
  await buildDeveloperTools()
  await buildQuickHalf()
  await buildInspector()
  await buildDocs()
  await buildApiPage()
  writeLicences()
  await writeSchemas()
  await copyHelpers()
  cpSync(`${here}src/service/install/packages`, `${here}dist/authoring-skills`, { recursive: true })
  writeStamp(here, inputs)
}

/** Builds unless dist is what these very sources build. */
export const buildIfChanged = async () => {
  if (!isStampFresh(here)) await buildAll()
}

const PAGE = `${here}src/surfaces/viewer/`

/** The style of a picture is part of the page's own: its policy takes none from within a document. */
const STYLE_IN_PICTURE = /<style>([\s\S]*?)<\/style>/

/**
 * What the bundles for browsers have in common.
 * @type {import('esbuild').BuildOptions}
 */
const browser = {
  absWorkingDir: here,
  bundle: true,
  platform: 'browser',
  target: ['chrome120', 'firefox121', 'safari17'],
  logLevel: 'warning',
  format: 'iife',
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  define: { 'process.env.NODE_ENV': '"production"' },
}

/** @param {string} folder */
const compressAll = folder => {
  for (const name of readdirSync(folder))
    writeFileSync(`${folder}${name}.gz`, gzipSync(readFileSync(folder + name), { level: constants.Z_BEST_COMPRESSION }))
}

/** The page of the viewer: its script and style, the script of exported traces, the statecharts, and each compressed. */
const buildInspector = async () => {
  const folder = `${here}dist/inspector/`
  const { metafile } = await build({
    ...browser,
    entryPoints: {
      app: `${PAGE}main.tsx`,
      trace: `${PAGE}traces/trace-main.tsx`,
      report: `${PAGE}reports/report-main.tsx`,
      app_style: `${PAGE}app.css`,
      home: `${PAGE}home.css`,
    },
    outdir: folder,
  })
  noteBundled(metafile)
  const pictures = readdirSync(`${here}statecharts`).filter(name => name.endsWith('.svg'))
  const styles = new Set()
  for (const name of pictures) {
    const svg = readFileSync(`${here}statecharts/${name}`, 'utf8')
    styles.add(STYLE_IN_PICTURE.exec(svg)?.[1] ?? '')
    writeFileSync(folder + name, svg.replace(STYLE_IN_PICTURE, ''))
  }
  writeFileSync(`${folder}app.css`, [...styles].join('') + readFileSync(`${folder}app_style.css`, 'utf8'))
  rmSync(`${folder}app_style.css`)
  copyFileSync(`${PAGE}index.html`, `${folder}index.html`)
  compressAll(folder)
}

const SWAGGER_UI = 'node_modules/swagger-ui-dist'

/**
 * Kept in its compressed form alone.
 * @param {string} file
 * @param {string} text
 */
const writeCompressed = (file, text) =>
  writeFileSync(`${file}.gz`, gzipSync(text, { level: constants.Z_BEST_COMPRESSION }))

/** The pages of GET /docs, rendered from `docs/`, with their search index, script, style and pictures. */
const buildDocs = async () => {
  const folder = `${here}dist/docs/`
  mkdirSync(folder)
  const { buildSite } = await import(`${here}dist/dev/docs-site.js`)
  const { files, pictures } = buildSite(`${here}docs`)
  for (const [name, text] of files) writeCompressed(folder + name, text)
  for (const name of pictures) copyFileSync(`${here}.github/${name}`, folder + name)
  const entryPoints = { docs: `${PAGE}docs/docs-main.ts`, docs_style: `${PAGE}docs/docs.css` }
  const { outputFiles = [] } = await bundle({ ...browser, entryPoints, outdir: folder, write: false })
  for (const { path, text } of outputFiles) writeCompressed(path.replace('docs_style', 'docs'), text)
}

/** The page of GET /docs/api, beside the other pages. What it takes from Swagger UI is large, and is kept compressed alone. */
const buildApiPage = async () => {
  const folder = `${here}dist/docs/`
  const { metafile, outputFiles = [] } = await build({
    ...browser,
    entryPoints: { api: `${PAGE}docs/api-main.tsx`, api_style: `${PAGE}docs/api.css` },
    outdir: folder,
    write: false,
  })
  noteBundled(metafile)
  for (const { path, text } of outputFiles) writeCompressed(path.replace('api_style', 'api'), text)
  writeCompressed(`${folder}api.html`, readFileSync(`${PAGE}docs/api.html`, 'utf8'))
  const taken = { 'swagger-ui.js': 'swagger-ui-bundle.js', 'swagger-ui.css': 'swagger-ui.css' }
  for (const [name, from] of Object.entries(taken)) {
    const text = readFileSync(`${here}${SWAGGER_UI}/${from}`, 'utf8').replace(
      /\n\/\/# sourceMappingURL=.*|\n\/\*# sourceMappingURL=.*\*\//g,
      '',
    )
    writeCompressed(folder + name, text)
  }
  bundled.add(SWAGGER_UI)
}

/** Every public shape as JSON Schema, one file each, for those who build on the contract in other languages. */
const writeSchemas = async () => {
  const { jsonSchemas } = await import(`${here}dist/dev/json-schema.js`)
  mkdirSync(`${here}dist/schemas`)
  const { scenarioJsonSchema } = await import(`${here}dist/dev/scenario-schema.js`)
  const all = { ...jsonSchemas(), 'scenario.schema': scenarioJsonSchema() }
  for (const [name, schema] of Object.entries(all)) {
    writeFileSync(`${here}dist/schemas/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`)
  }
}

/** The helpers of `svc.uiautomator` with their licence: the very bytes that the source names, and nothing else of their package. */
const copyHelpers = async () => {
  const { HELPER_APKS, HELPER_SOURCE } = await import(`${here}dist/dev/helper-apks.js`)
  const from = `${here}node_modules/${HELPER_SOURCE.package}/`
  const wanted = `${HELPER_SOURCE.package} ${HELPER_SOURCE.version}`
  if (!existsSync(from)) throw new Error(`The build needs ${wanted}: run npm ci, with the development dependencies.`)
  mkdirSync(`${here}dist/helper`)
  for (const { asset, file, sha256 } of HELPER_APKS) {
    const found = existsSync(from + asset) ? readFileSync(from + asset) : undefined
    const digest = found && createHash('sha256').update(found).digest('hex')
    if (digest !== sha256) {
      const what = digest ? `has the SHA-256 ${digest}` : 'is missing'
      throw new Error(
        `${from}${asset} ${what}; ${wanted} has ${sha256}. Run npm ci, or change src/device/operators/uiautomator/helper-apks.ts with it.`,
      )
    }
    copyFileSync(from + asset, `${here}dist/helper/${file}`)
  }
  copyFileSync(from + HELPER_SOURCE.license, `${here}dist/helper/${HELPER_SOURCE.licenseFile}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--charts')) await buildCharts()
  else if (process.argv.includes('--generated')) await writeGenerated()
  else if (process.argv.includes('--docs')) await buildDocsWriter()
  else if (process.argv.includes('--library')) {
    await writeGenerated()
    await buildLibrary(build, common)
  } else await (process.argv.includes('--always') ? buildAll() : buildIfChanged())
}
