import { connect } from 'svc'

const svc = await connect()
const [device] = await svc.devices.list()

for await (const { time, tag, message } of svc.logs(device.serial, { since: 'boot', level: 'info' })) {
  console.log(time, tag, message)
  break
}

await svc.close()
