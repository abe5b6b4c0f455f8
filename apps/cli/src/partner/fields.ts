// Parses the input of `lendloom partner add` and `change`: fields as `name=value`, credentials from a file.
import { readFileSync } from 'node:fs'
import { isKeyOf } from '@lendloom/foundation/record'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { type ProductId, productIds } from '@lendloom/lending/product/products'
import { defaultRules } from '@lendloom/platform/operations/exchange'
import { type PartnerChange, PartnerRules } from '@lendloom/wire/console/lending-partners'
import { contactNames } from '@lendloom/wire/console/lists'
import { type PartnerCredentials, partnerCredentials } from '@lendloom/wire/exchange/credentials'
import { type Option, UsageError } from '#cli/command.ts'

/** The fields that `--set` can change. */
const fieldNames: string[] = [...Object.keys(PartnerRules.properties), ...contactNames]

export const fieldOptions = {
  name: { type: 'string', value: 'text', about: 'name shown to borrowers' },
  url: { type: 'string', value: 'url', about: 'base URL of its four interfaces, such as <url>/dedupe' },
  product: { type: 'string', value: 'id', multiple: true, about: 'product that it offers; may be repeated' },
  set: {
    type: 'string',
    value: 'field=value',
    multiple: true,
    about: `limits, prices and contacts: ${fieldNames.join(', ')}`,
  },
} as const satisfies Record<string, Option>

interface PartnerFields {
  name?: string | undefined
  url?: string | undefined
  product?: string[] | undefined
  set?: string[] | undefined
}

/** Builds the change from the options that are set. The console API validates it. */
export function changeFrom({ name, url, product, set = [] }: PartnerFields): PartnerChange {
  const pairs = set.map(pairIn)
  const rules = pairs.filter(([field]) => isKeyOf(PartnerRules.properties, field))
  const contact = pairs.filter(([field]) => contactNames.some((contactName) => contactName === field))
  return {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(product && { products: product.map(productIn) }),
    ...(rules.length > 0 && {
      rules: Object.fromEntries(rules.map(([field, text]) => [field, ruleValue(field, text)])),
    }),
    ...(contact.length > 0 && { contact: Object.fromEntries(contact) }),
  }
}

function pairIn(text: string): [string, string] {
  const [, field = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (!fieldNames.includes(field)) throw new UsageError(`--set takes one of ${fieldNames.join(', ')}, not "${text}"`)
  return [field, value]
}

const productIn = (text: string): ProductId => {
  const known = productIds.find((id) => id === text.toUpperCase())
  if (!known) throw new UsageError(`--product must be one of ${productIds.join(', ')}, not "${text}"`)
  return known
}

/** Parses the value of a numeric field as a whole number; other values stay text. */
function ruleValue(field: string, text: string): string | number {
  const isNumber = isKeyOf(defaultRules, field) && typeof defaultRules[field] === 'number'
  if (isNumber && !/^\d{1,9}$/.test(text)) throw new UsageError(`--set ${field} must be a whole number, not "${text}"`)
  return isNumber ? Number(text) : text
}

/** Reads credentials in the format that `exchange conform` accepts. Error messages never contain their values. */
export function credentialsIn(path: string): PartnerCredentials {
  try {
    const read = partnerCredentials('').read(readFileSync(path, 'utf8').trim())
    if (read) return read
  } catch (error) {
    throw new UsageError(`--credentials ${path}: ${codeOf(error) ?? messageOf(error)}`)
  }
  throw new UsageError(`--credentials ${path} is empty`)
}
