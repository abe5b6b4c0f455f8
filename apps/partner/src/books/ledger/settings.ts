// The setting that maps the chart of accounts to the codes of the lender's general ledger.

import type { Setting } from '@lendloom/foundation/config'
import { jsonIn } from '@lendloom/foundation/json'
import { isObject } from '@lendloom/foundation/record'
import { accountNumbers, type ChartAccount, chart } from './chart.ts'

/** Codes in the general ledger. Downloads leave the code of other accounts empty. */
export type AccountCodes = Partial<Record<ChartAccount, string>>

function readCodes(text: string): AccountCodes {
  if (text === '') return {}
  const given = jsonIn(text)
  if (!isObject(given)) throw new Error('must be a JSON object of account numbers and codes')
  return Object.fromEntries(
    Object.entries(given).map(([number, code]) => {
      const account = chart.find((each) => accountNumbers[each] === number)
      if (!account) throw new Error(`has the number "${number}", which is not in the chart of accounts`)
      if (typeof code !== 'string' || !/^[\w./ -]{1,40}$/.test(code))
        throw new Error(`must have a code of at most 40 letters, digits or ./-_ for ${number}`)
      return [account, code]
    }),
  )
}

export const ledgerSettings = {
  PARTNER_GENERAL_LEDGER: {
    about:
      'Codes of the accounts in the general ledger, as JSON by account number: {"1000": "110201"}; downloads of the books have them beside our numbers',
    fallback: '',
    read: readCodes,
  } satisfies Setting<AccountCodes>,
}
