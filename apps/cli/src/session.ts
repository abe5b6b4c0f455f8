// `lendloom session create`: opens a hosted session with an API key, as an integrator's server does (D1 §2.1).

import type { SessionReply } from '@lendloom/wire/hosted/create-session'
import { CannotRun, command, type Group, requireArgument, requireOption } from './command.ts'
import { callerAt } from './console/ask.ts'
import { fieldLines } from './console/words.ts'
import { platformUrlOf } from './contexts.ts'

const create = command({
  name: 'session create',
  summary: 'open a hosted session with the API key in LENDLOOM_API_KEY, and print the address of its page',
  usage: '<borrowerProviderID> --contact <number> [--product <product>]',
  options: {
    contact: { type: 'string', value: 'number', about: 'mobile number of the borrower' },
    product: { type: 'string', value: 'product', about: 'product (default: PERSONAL_LOAN)' },
  },
  async run({ args, options, env }) {
    const { LENDLOOM_API_KEY: key } = env
    if (!key) throw new CannotRun('LENDLOOM_API_KEY is not set; lendloom key create makes a key')
    if (!/^[\w-]+$/.test(key.trim())) throw new CannotRun('LENDLOOM_API_KEY is not an API key')
    const call = callerAt(platformUrlOf(env), { authorization: `Bearer ${key.trim()}` }, '/api/lab')
    const body = {
      borrowerProviderID: requireArgument(args, 'your id of the borrower'),
      profile: { contactNumber: requireOption(options.contact, 'contact') },
      ...(options.product && { journeyType: options.product.toUpperCase() }),
    }
    const { data } = await call<SessionReply>('POST /sessions', { body })
    return { text: fieldLines({ ...data }), data }
  },
})

export const session: Group = {
  name: 'session',
  summary: 'hosted sessions with an API key: create',
  commands: [create],
}
