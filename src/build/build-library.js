// Builds the package as a library: its entry points for both module systems, and their declarations.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'

const OUT = 'dist/lib'
const TYPES = `${OUT}/types`

/** By the name of the entry point; `names` are what it exports when it runs. */
const ENTRIES = {
  // Readable: Node shows the line of an error that nobody caught.
  svc: { file: 'src/surfaces/library/main.ts', names: ['connect', 'SvcError'], style: {} },
  simulator: {
    file: 'src/surfaces/library/start-phones.ts',
    names: ['startPhones'],
    style: { minifyWhitespace: true, minifySyntax: true, lineLimit: 160 },
  },
}
const OWN_FILES = /^src\/surfaces\/library\//
const VITEST = 'src/surfaces/library/vitest.ts'

/** @typedef {(options: import('esbuild').BuildOptions) => Promise<import('esbuild').BuildResult & { metafile: import('esbuild').Metafile }>} Build */

/** An ES module that hands on what the CommonJS one has: loaded by both ways, a package still has one `SvcError`. @param {string} name @param {readonly string[]} names */
const wrapper = (name, names) => `import library from './${name}.cjs'\nexport const { ${names.join(', ')} } = library\n`

/**
 * @param {Build} build
 * @param {import('esbuild').BuildOptions} common
 */
const buildScripts = async (build, common) => {
  const bundles = []
  for (const [name, { file, names, style }] of Object.entries(ENTRIES)) {
    bundles.push(
      await build({
        ...common,
        format: 'cjs',
        entryPoints: { [name]: file },
        outdir: OUT,
        outExtension: { '.js': '.cjs' },
        ...style,
        supported: { 'dynamic-import': false },
        define: { ...common.define, 'import.meta.url': 'importMetaUrl' },
        banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
      }),
    )
    writeFileSync(`${OUT}/${name}.js`, wrapper(name, names))
  }
  const others = {
    'src/surfaces/library/main.ts': './svc.js',
    'src/surfaces/library/start-phones.ts': './simulator.js',
  }
  /** @type {import('esbuild').Plugin} */
  const entryPoints = {
    name: 'entry points',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
        const file = relative(process.cwd(), resolve(resolveDir, path))
        const other = kind === 'entry-point' ? undefined : Object.entries(others).find(([entry]) => entry === file)
        return other ? { path: other[1], external: true } : undefined
      }),
  }
  const options = { ...common, absWorkingDir: process.cwd(), external: ['vitest'], plugins: [entryPoints] }
  bundles.push(await build({ ...options, format: 'esm', entryPoints: { vitest: VITEST }, outdir: OUT }))
  return bundles
}

const IMPORT = /(from |import\()(['"])(\.{1,2}\/[^'"]+)\.ts\2/g

/** A declaration with all that it imports, once for each module system. @param {string} folder @param {string} entry */
const copyDeclarations = (folder, entry) => {
  const wanted = [entry]
  for (const path of wanted) {
    const text = readFileSync(join(folder, path.replace(/\.ts$/, '.d.ts')), 'utf8')
    for (const [, , , specifier] of text.matchAll(IMPORT)) {
      const other = `${join(dirname(path), specifier ?? '')}.ts`
      if (!wanted.includes(other)) wanted.push(other)
    }
    for (const [ending, module] of Object.entries({ '.d.ts': '.js', '.d.cts': '.cjs' })) {
      const file = join(TYPES, path.replace(/\.ts$/, ending))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text.replace(IMPORT, `$1$2$3${module}$2`))
    }
  }
}

const buildDeclarations = () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-types-'))
  try {
    const project = join(folder, 'tsconfig.json')
    const files = [...Object.values(ENTRIES).map(({ file }) => file), VITEST].map(file => resolve(file))
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      // `npm run types` checks all of it.
      noCheck: true,
      allowJs: false,
      checkJs: false,
      outDir: folder,
      rootDir: resolve('src'),
      typeRoots: [resolve('node_modules/@types')],
    }
    writeFileSync(project, JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, files, include: [] }))
    const { stdout } = spawnSync(process.execPath, [
      'node_modules/typescript/bin/tsc',
      '-p',
      project,
      '--pretty',
      'false',
    ])
    // Files behind the library have types that no declaration can name; none of those is handed on.
    const problems = String(stdout)
      .split('\n')
      .filter(line => OWN_FILES.test(line))
    if (problems.length > 0)
      throw new Error(`The declarations of the library cannot be written:\n${problems.join('\n')}`)
    for (const entry of ['surfaces/library/main.ts', 'surfaces/library/start-phones.ts', 'surfaces/library/vitest.ts'])
      copyDeclarations(folder, entry)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {Build} build
 * @param {import('esbuild').BuildOptions} common
 */
export const buildLibrary = async (build, common) => {
  rmSync(OUT, { recursive: true, force: true })
  mkdirSync(OUT, { recursive: true })
  const bundles = await buildScripts(build, common)
  buildDeclarations()
  return bundles.map(({ metafile }) => metafile)
}
