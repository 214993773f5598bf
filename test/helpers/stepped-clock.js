// Gives a process the clock of a test, which it loads with --import. The file CLOCK_FILE has the milliseconds by which the clock
// is wrong, or after `=` the time at which it stands still.
import { readFileSync } from 'node:fs'

const { Date: RealDate } = globalThis
let setting = '0'
const read = () => {
  // Empty while the test writes it.
  setting = readFileSync(process.env.CLOCK_FILE, 'utf8') || setting
}
read()
setInterval(read, 20).unref()

const now = () => (setting.startsWith('=') ? Number(setting.slice(1)) : RealDate.now() + Number(setting))

globalThis.Date = class SteppedDate extends RealDate {
  constructor(...values) {
    if (values.length > 0) super(...values)
    else super(now())
  }
  static now() {
    return now()
  }
}
