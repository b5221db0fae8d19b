/** Passwords and keys that were given to a command are in nothing that it prints. */
import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runCliHere } from '../../support/cli/cli-here.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-cli-secrets-')

afterEach(() => vi.unstubAllEnvs())

const SECRET = 's3cret'
/** Such as nk prints it; nobody uses it. */
const SEED = `SU${'A'.repeat(56)}`
const MALFORMED = `nats://a:4222,nats://user:${SECRET}@host:port`

test.each([
  ['fleet status', ['fleet', 'status', '--fleet', MALFORMED]],
  ['devices', ['devices']],
  ['watch', ['watch', '--fleet', MALFORMED]],
  ['doctor', ['doctor', '--fleet', MALFORMED]],
  ['serve', ['serve', '--port', '0', '--fleet', MALFORMED]],
  ['a URL in the place of a command', [`nats://user:${SECRET}@host`]],
  ['a URL that is one argument too many', ['fleet', 'status', `nats://user:${SECRET}/@host`]],
  ['an origin', ['serve', '--port', '0', '--allow-origin', `https://user:${SECRET}@host`]],
  ['a key in the place of its file', ['fleet', 'status', '--fleet', 'nats://h', '--fleet-creds', SEED]],
  ['a key in the place of a public one', ['fleet', 'permissions', `lab-1=${SEED}`]],
  ['a key in the place of an id', ['fleet', 'permissions', `${SEED}=lab-1`]],
])('%s', async (_name, args) => {
  const home = folder()
  const temporaries = mkdtempSync(join(home, 'tmp-'))
  vi.stubEnv('TMPDIR', temporaries)
  const env = { HOME: home, PATH: '', SVC_FLEET: MALFORMED }
  const ended = await runCliHere(args, { env })
  expect(ended.code).not.toBe(0)
  const said = `${ended.stdout}${ended.stderr}`
  expect(said).not.toContain(SECRET)
  expect(said).not.toContain(SEED)
  expect(readdirSync(temporaries)).toEqual([])
})

const EXPECTED =
  'Expected nats://<host>:<port> or tls://<host>:<port>; in a user or a password, write each of , / ? # @ : % as its percent code.'

describe('the message of a URL that cannot be read', () => {
  const status = ['fleet', 'status']
  test.each([
    ['serve', ['serve', '--port', '0'], 'http://h:1', 'begins with neither nats:// nor tls://'],
    ['fleet status', status, 'http://h:1', 'begins with neither nats:// nor tls://'],
    ['fleet status', status, 'nats://', 'is not a URL with a host'],
    ['fleet status', status, `nats://user:${SECRET}/@h`, 'is not a URL with a host'],
    ['fleet status', status, 'nats://h:1/x', 'goes on after the port'],
    ['doctor', ['doctor'], 'http://h:1', 'begins with neither nats:// nor tls://'],
  ])('of %s is whole: %s %s', async (_name, args, url, problem) => {
    const home = folder()
    for (const [more, env] of [
      [['--fleet', url], {}],
      [[], { SVC_FLEET: url }],
    ] as const) {
      const { stdout, stderr } = await runCliHere([...args, ...more], { env: { HOME: home, PATH: '', ...env } })
      expect(`${stdout}${stderr}`).toContain(`The URL of the NATS servers ${problem}. ${EXPECTED}`)
    }
  })
})
