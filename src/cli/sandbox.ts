// `lendloom sandbox …`: a journey of the sandbox with any fault scenario; `lendloom clock` moves its time.

import type { SandboxJourneyReply } from '#contract/console/developers.ts'
import { productsThat } from '#contract/product/products.ts'
import { type Group, required } from './command.ts'
import { asking } from './console/ask.ts'
import { fields, ofTenant, tenantOption } from './console/words.ts'

const options = {
  tenant: tenantOption,
  application: { type: 'string', value: 'applicationId', about: 'the application' },
  product: { type: 'string', value: productsThat('opensBySession').join('|'), about: 'which loan' },
  digits: {
    type: 'string',
    value: 'dddd',
    about: 'the digits of the PAN, which say what goes wrong: lendloom scenarios (default: 1234, nothing)',
  },
} as const

const begin = asking({
  name: 'sandbox begin',
  summary: 'begin a journey in the sandbox with any fault scenario, and give the address of its borrower’s page',
  usage: '--tenant <tenantId> --application <applicationId> --product <product> [--digits <dddd>]',
  options,
  route: 'POST /developers/sandbox/journeys',
  input({ options }) {
    const applicationId = required(options.application, 'application')
    const product = required(options.product, 'product').toUpperCase()
    return { query: ofTenant(options), body: { applicationId, product, digits: options.digits } }
  },
  text: (made: SandboxJourneyReply) => fields(made),
})

export const sandbox: Group = {
  name: 'sandbox',
  summary: 'journeys of the sandbox, with whatever goes wrong: begin',
  commands: [begin],
}
