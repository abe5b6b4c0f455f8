// Unpacks the Chromium installed by npm into the temporary directory. A separate program, because that directory can only be configured through its environment.
import { join } from 'node:path'
import sparticuz, { inflate } from '@sparticuz/chromium'

const [packed = ''] = process.argv.slice(2)
await sparticuz.executablePath()
await inflate(join(packed, 'al2023.tar.br'))
