import { connect } from 'svc'
import { startPhones } from 'svc/simulator'

const phones = await startPhones({ count: 2 })
const svc = await connect({ env: phones.env })

for (const { serial, name } of phones.devices) {
  const { data } = await svc.device(serial).open('com.android.settings')
  console.log(name, data.application_id)
}

await svc.close()
await phones.close()
