/**
 * The floor of a click: what any server does that keeps its word. It reads the body, commits, brings that to the disk, sends a
 * line over a socket and hears one, commits again and answers. Arguments: a folder, the port of an echo, bytes to answer.
 */
import { randomUUID } from 'node:crypto'
import { fdatasync, openSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'libsql'

const [folder = '', echo = '0', bytes = '0'] = process.argv.slice(2)
const path = join(folder, 'floor.db')
const database = new Database(path)
database.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE rows (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, execution TEXT NOT NULL, fact TEXT NOT NULL);
  CREATE INDEX rows_execution ON rows (execution);`)
const statement = database.prepare('INSERT INTO rows (id, execution, fact) VALUES (?, ?, ?)')
/** Found again by its own id and by that of its execution. */
const insert = (execution: string, fact: unknown) => statement.run(randomUUID(), execution, JSON.stringify(fact))
insert('first', {})
const wal = openSync(`${path}-wal`, 'r')
const toDisk = promisify(fdatasync)

const peer = connect(Number(echo), '127.0.0.1').setNoDelay(true)
const waiting: ((line: string) => void)[] = []
peer.setEncoding('utf8').on('data', (text: string) => waiting.shift()?.(text))
const exchange = (line: string) =>
  new Promise<string>(resolve => {
    waiting.push(resolve)
    peer.write(`${line}\n`)
  })

const bodyOf = async (incoming: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}
const padding = 'x'.repeat(Math.max(0, Number(bytes) - 24))

const server = createServer(async (incoming, outgoing) => {
  const body = await bodyOf(incoming)
  const execution = randomUUID()
  insert(execution, { asked: body })
  await toDisk(wal)
  const answer = await exchange(JSON.stringify(body))
  insert(execution, { answer })
  const text = JSON.stringify({ ok: true, padding })
  outgoing.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
  outgoing.end(text)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready\n${(server.address() as AddressInfo).port}\n`)
})
