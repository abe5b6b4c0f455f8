// Unpacks the Chromium that npm brought along into the directory for temporary files: a program of its own, as that directory is its setting alone.
import { join } from 'node:path'
import sparticuz, { inflate } from '@sparticuz/chromium'

const [packed = ''] = process.argv.slice(2)
await sparticuz.executablePath()
await inflate(join(packed, 'al2023.tar.br'))
