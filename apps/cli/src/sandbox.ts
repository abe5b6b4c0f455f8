// `lendloom sandbox …`: starts a sandbox journey with any fault scenario; `lendloom clock` moves the sandbox's time.

import { productsThat } from '@lendloom/lending/product/products'
import type { SandboxJourneyReply } from '@lendloom/wire/console/developers'
import { type Group, requireOption } from './command.ts'
import { consoleCommand } from './console/ask.ts'
import { fieldLines, tenantOption, tenantQuery } from './console/words.ts'

export const sandboxOptions = {
  tenant: tenantOption,
  application: { type: 'string', value: 'applicationId', about: 'the application, by its id or name' },
  product: { type: 'string', value: productsThat('opensBySession').join('|'), about: 'product' },
  digits: {
    type: 'string',
    value: 'dddd',
    about:
      'digits of the PAN, which select the fault: see the page The sandbox of the documentation (default: 1234, none)',
  },
} as const

const begin = consoleCommand({
  name: 'sandbox begin',
  summary: 'start a sandbox journey with a fault scenario, and print the URL of its page',
  usage: '--tenant <tenantId> --application <applicationId> --product <product> [--digits <dddd>]',
  options: sandboxOptions,
  route: 'POST /developers/sandbox/journeys',
  input({ options }) {
    const applicationId = requireOption(options.application, 'application')
    const product = requireOption(options.product, 'product').toUpperCase()
    return { query: tenantQuery(options), body: { applicationId, product, digits: options.digits } }
  },
  text: (reply: SandboxJourneyReply) => fieldLines(reply),
})

export const sandbox: Group = {
  name: 'sandbox',
  summary: 'sandbox journeys with any fault scenario: begin',
  commands: [begin],
}
