import { connect } from 'svc'

const svc = await connect()
const phone = svc.device()

try {
  await phone.wait('A node that never comes', { timeoutMs: 5_000, signal: AbortSignal.timeout(500) })
} catch (error) {
  console.log(error.code, error.dispatched)
}

await svc.close()
