import { connect } from 'svc'

const svc = await connect()
const [device] = await svc.devices.list()

const lease = await svc.lease(device.serial, { forMs: 60_000, waitMs: 30_000 })
try {
  await lease.open('com.android.settings')
  await lease.back()
  await lease.extend(60_000)
} finally {
  await lease.release()
}

await svc.close()
