/** The console of a simulated emulator: the plain-text port that `adb emu` talks to. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

const GREETING = "Android Console: type 'help' for a list of commands\r\nOK\r\n"
const OK = 'OK\r\n'
const LINE_CHARS_MAX = 4_096

interface EmulatorConsoleOptions {
  /** The name of the AVD. */
  name: string
  /** 0 for any free one; an adb that finds the console by itself looks at the port below that of the daemon. */
  port?: number
  /** Somebody wants the emulator to end. */
  onKill(): void
}

interface EmulatorConsole {
  readonly port: number
  close(): Promise<void>
}

export const startEmulatorConsole = async ({
  name,
  port = 0,
  onKill,
}: EmulatorConsoleOptions): Promise<EmulatorConsole> => {
  const sockets = new Set<Socket>()

  const serve = (socket: Socket) => {
    let held = ''
    let answered = false
    /** `adb emu` drops all up to the second OK, which is that of `auth`; without one it comes before the first answer. */
    const beforeFirst = () => {
      if (answered) return ''
      answered = true
      return OK
    }
    const answer = (line: string): string => {
      const [command = '', ...words] = line.trim().split(/\s+/)
      if (command === 'auth') {
        answered = true
        return OK
      }
      if (command === 'avd' && words[0] === 'name') return `${beforeFirst()}${name}\r\n${OK}`
      if (command === 'kill') return `${beforeFirst()}OK: killing emulator, bye bye\r\n`
      if (command === 'ping' || command === 'help') return `${beforeFirst()}I am alive!\r\n${OK}`
      return command === '' ? '' : `${beforeFirst()}KO: unknown command, try 'help'\r\n`
    }
    const take = (line: string) => {
      const command = line.trim()
      if (command === 'quit' || command === 'exit') socket.end(beforeFirst())
      else if (command === 'kill') {
        socket.end(answer(line))
        onKill()
      } else socket.write(answer(line))
    }
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (held + chunk).split('\n')
      held = lines.pop() ?? ''
      if (held.length > LINE_CHARS_MAX) socket.destroy()
      for (const line of lines) if (socket.writable) take(line)
    })
    socket.write(GREETING)
  }

  const server = createServer(serve)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const bound = typeof address === 'object' && address ? address.port : port
  return {
    port: bound,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
