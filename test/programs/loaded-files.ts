/** Preloaded with --import: at exit, writes the name of every file that Node has loaded to the file LOADED_FILES. */
import { appendFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'

const to = process.env.LOADED_FILES ?? ''

// ES modules pass through a loader hook, which runs on a thread of its own.
const hook = `
  import { appendFileSync } from 'node:fs'
  export const load = (url, context, next) => {
    if (url.startsWith('file:')) appendFileSync(${JSON.stringify(to)}, new URL(url).pathname + '\\n')
    return next(url, context)
  }`
register(`data:text/javascript,${encodeURIComponent(hook)}`)

process.on('exit', () => {
  const { cache } = createRequire(import.meta.url)
  appendFileSync(
    to,
    Object.keys(cache)
      .map(file => `${file}\n`)
      .join(''),
  )
})
