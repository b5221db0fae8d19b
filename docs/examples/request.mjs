import { connect } from 'svc'

const svc = await connect()
const [device] = await svc.devices.list()

const { notifications } = await svc.request('notifications.list', { deviceId: device.serial })
console.log(notifications.length)
console.log(Object.keys(await svc.settings.get(device.serial)))
console.log((await svc.receipts.list({ limit: 1 }))[0]?.state)

await svc.close()
