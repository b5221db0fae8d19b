/** The smallest skill that acts on a device: its script hands one execution to `svc exec`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const TAP_SKILL = 'com.example.counter.tap'

const SCRIPT = `const { spawnSync } = require('node:child_process')
const { SVC_BIN, SVC_DEVICE_ID } = process.env
const isScript = /\\.[cm]?js$/.test(SVC_BIN)
const words = ['exec', process.argv.at(-1), '--device', SVC_DEVICE_ID]
const [program, ...args] = isScript ? [process.execPath, SVC_BIN, ...words] : [SVC_BIN, ...words]
const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
process.stdout.write(stdout ?? '')
process.exitCode = status ?? 1
`

/** Returns the registry that lists it. */
export const installSkill = (folder: string): string => {
  const path = `skills/${TAP_SKILL}`
  const entry = {
    id: TAP_SKILL,
    applicationId: 'com.example.counter',
    intent: 'tap',
    summary: 'Taps a row',
    path,
    skillFile: `${path}/SKILL.md`,
    scripts: [`${path}/scripts/run.js`],
    artifacts: [],
  }
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 })
  mkdirSync(join(folder, path, 'scripts'), { recursive: true })
  write(`${path}/SKILL.md`, '# Tap\n')
  write(`${path}/skill.json`, JSON.stringify(entry))
  write(`${path}/scripts/run.js`, `#!/usr/bin/env node\n${SCRIPT}`)
  write('skills/skills-registry.json', JSON.stringify({ schemaVersion: '1.0', skills: [entry] }))
  return join(folder, 'skills/skills-registry.json')
}
