// What `lendloom partner add` and `change` are given of a partner: its fields as `name=value`, its credentials as a file.
import { readFileSync } from 'node:fs'
import { type Option, UsageError } from '#cli/command.ts'
import { type PartnerChange, PartnerRules } from '#contract/console/lending-partners.ts'
import { contactNames } from '#contract/console/lists.ts'
import { type PartnerCredentials, partnerCredentials } from '#contract/exchange/credentials.ts'
import { type ProductId, productIds } from '#contract/product/products.ts'
import { codeOf, isKeyOf, messageOf } from '#kit/runtime/record.ts'
import { usualRules } from '#platform/exchange/settings.ts'

/** The fields of `--set`. */
const fieldNames: string[] = [...Object.keys(PartnerRules.properties), ...contactNames]

export const fieldOptions = {
  name: { type: 'string', value: 'text', about: 'the name that borrowers read' },
  url: { type: 'string', value: 'url', about: 'where its four interfaces are; /dedupe and the others are added to it' },
  product: { type: 'string', value: 'id', multiple: true, about: 'a product for which it is asked, once for each' },
  set: {
    type: 'string',
    value: 'field=value',
    multiple: true,
    about: `what may be recommended, at which price, and whom borrowers turn to: ${fieldNames.join(', ')}`,
  },
} as const satisfies Record<string, Option>

interface PartnerFields {
  name?: string | undefined
  url?: string | undefined
  product?: string[] | undefined
  set?: string[] | undefined
}

/** Only what was given. Whether it is right is checked by the same schema and act as in the console. */
export function changeFrom({ name, url, product, set = [] }: PartnerFields): PartnerChange {
  const pairs = set.map(pairIn)
  const rules = pairs.filter(([field]) => isKeyOf(PartnerRules.properties, field))
  const contact = pairs.filter(([field]) => contactNames.some((one) => one === field))
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

/** Whole numbers where the field is one. */
function ruleValue(field: string, text: string): string | number {
  const isNumber = isKeyOf(usualRules, field) && typeof usualRules[field] === 'number'
  if (isNumber && !/^\d{1,9}$/.test(text)) throw new UsageError(`--set ${field} must be a whole number, not "${text}"`)
  return isNumber ? Number(text) : text
}

/** The content of the file that `exchange conform` reads too; error messages never contain its values. */
export function credentialsIn(path: string): PartnerCredentials {
  try {
    const read = partnerCredentials('').read(readFileSync(path, 'utf8').trim())
    if (read) return read
  } catch (error) {
    throw new UsageError(`--credentials ${path}: ${codeOf(error) ?? messageOf(error)}`)
  }
  throw new UsageError(`--credentials ${path} is empty`)
}
