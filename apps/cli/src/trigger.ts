// `lendloom trigger`: drives a sandbox journey to a lifecycle status, so that every update up to it is sent.

import { productsThat } from '@lendloom/lending/product/products'
import type { AdvanceReply, SandboxJourneyReply } from '@lendloom/wire/console/sandbox-tools'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { command, requireArgument, requireOption, UsageError } from './command.ts'
import { consoleOf } from './console/ask.ts'
import { withIds } from './console/names.ts'
import { tenantOption } from './console/words.ts'

const triggerOptions = {
  tenant: tenantOption,
  application: { type: 'string', value: 'applicationId', about: 'the application, by its id or name' },
  product: {
    type: 'string',
    value: productsThat('opensBySession').join('|'),
    about: 'product (default: PERSONAL_LOAN)',
  },
  digits: {
    type: 'string',
    value: 'dddd',
    about: 'digits of the PAN, which select the fault: see lendloom scenarios (default: 1234, none)',
  },
} as const

export const trigger = command({
  name: 'trigger',
  summary: 'start a sandbox journey and act for its borrower until it has a status; every update on the way is sent',
  usage: '<STATUS> --tenant <tenantId> --application <applicationId> [--product <product>] [--digits <dddd>]',
  options: triggerOptions,
  async run(call) {
    const given = requireArgument(call.args, 'the status')
    const to = statuses.find((status) => status === given.toUpperCase())
    if (!to) throw new UsageError(`the status must be one of ${statuses.join(', ')}, not "${given}"`)
    const ask = consoleOf(call.env)
    const { options } = await withIds(ask, call, '')
    const query = { tenantId: requireOption(options.tenant, 'tenant') }
    const journey = await ask<SandboxJourneyReply>('POST /developers/sandbox/journeys', {
      query,
      body: {
        applicationId: requireOption(options.application, 'application'),
        product: options.product?.toUpperCase() ?? 'PERSONAL_LOAN',
        digits: options.digits,
      },
    })
    const { journeyId } = journey
    const route = 'POST /developers/sandbox/journeys/{journeyId}/advance'
    const data = await ask<AdvanceReply>(route, { params: { journeyId }, query, body: { to } })
    return {
      text: `The journey ${journeyId} is on its way to ${to}. Its updates go to your webhook endpoints and listeners.`,
      data,
    }
  },
})
