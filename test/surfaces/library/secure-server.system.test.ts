/** A server behind TLS: reached by those who trust its certificate, with the path before its routes, and by nobody else. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { CLI } from '../../support/cli/run-cli.ts'
import { type Certificates, makeCertificates } from '../../support/http/certificates.ts'
import { needs } from '../../support/needs.ts'
import { temporary } from '../../support/temporary.ts'
import { connectHere, executed, json, startStubServer } from './stub-server.ts'

const TOKEN = 'a-token-of-this-test'
const LIBRARY = join(dirname(CLI), 'lib/svc.cjs')
const folder = temporary('svc-secure-')

const startSecure = ({ cert, key }: Certificates) =>
  startStubServer(
    ({ path }, outgoing) => {
      if (!path.includes('/actors/events')) return json(outgoing, executed({ key: 'back' }))
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.write(`id: 7\nevent: svc:transition\ndata: {"seq":7}\n\n`)
    },
    { token: TOKEN, tls: { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') } },
  )

const PROGRAM = `
const { connect } = require(process.argv[1])
connect({ url: process.argv[2], token: process.argv[3] }).then(async svc => {
  const { data } = await svc.device('phone-1').back()
  const { value } = await svc.transitions({ after: 6 }).next()
  await svc.close()
  console.log(JSON.stringify({ data, seq: value.seq }))
})`

describe.skipIf(!needs('openssl'))('over https', () => {
  test('calls and streams reach a server whose authority is trusted, below the path of its url', async () => {
    const certificates = makeCertificates(folder())
    const { url, asked } = await startSecure(certificates)
    const env = { PATH: '', NODE_EXTRA_CA_CERTS: certificates.ca }
    const args = ['-e', PROGRAM, LIBRARY, `${url}/phones/`, TOKEN]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 60_000 })
    expect(JSON.parse(stdout)).toEqual({ data: { key: 'back' }, seq: 7 })
    expect(asked.map(({ path }) => path)).toEqual(['/phones/execute', '/phones/actors/events'])
  })

  test('a certificate that nobody vouches for ends the call before anything is sent, the token too', async () => {
    const { url, asked } = await startSecure(makeCertificates(folder()))
    await expect(connectHere({ url, token: TOKEN })).rejects.toMatchObject({
      code: 'SERVER_UNREACHABLE',
      message: expect.stringMatching(/certificate/),
      dispatched: false,
    })
    expect(asked).toEqual([])
  })
})
