/** The token of a server on another machine: sent with every request and stream to it, and with none to a server of this user. */
import { expect, test } from 'vitest'
import { connectHere, executed, json, startStubServer } from './stub-server.ts'

const TOKEN = 'a-token-of-this-test'
const EVENT = `id: 1\nevent: svc:transition\ndata: {"seq":1}\n\n`

const startGuarded = () =>
  startStubServer(
    ({ path }, outgoing) => {
      if (path !== '/actors/events') return json(outgoing, executed({ key: 'back' }))
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write(EVENT)
    },
    { token: TOKEN },
  )

test.each([
  ['given to connect', { token: TOKEN }],
  ['in SVC_SERVE_TOKEN', { env: { SVC_SERVE_TOKEN: TOKEN } }],
  [
    'given to connect beside another one in SVC_SERVE_TOKEN',
    { token: TOKEN, env: { SVC_SERVE_TOKEN: 'another-token' } },
  ],
])('a token that is %s opens the server to calls and streams', async (_, options) => {
  const { url, asked } = await startGuarded()
  const svc = await connectHere({ url, ...options })
  expect((await svc.device('phone-1').back()).data).toEqual({ key: 'back' })
  expect((await svc.transitions().next()).value).toMatchObject({ seq: 1 })
  expect(asked.map(({ path }) => path)).toEqual(['/execute', '/actors/events'])
})

test.each([
  ['no', {}],
  ['a wrong', { token: 'a-wrong-token-of-it' }],
])('with %s token, connect says what to give, in words of the library', async (_, options) => {
  const { url, asked } = await startGuarded()
  await expect(connectHere({ url, ...options })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    dispatched: false,
    hint: expect.stringMatching(/^Give `connect\(\{ url, token \}\)`/),
  })
  expect(asked).toEqual([])
})
