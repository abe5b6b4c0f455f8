// Masks documents for staff who support journeys: messages, events and answers, by the names of their fields.

import { isPersonal, normalizedName, scrub } from './mask.ts'
import { isObject } from './record.ts'

/** In addition to the names masked in logs: personal fields in the spelling of network messages and partner events. */
const personalInDocuments = new Set([
  'phone',
  'virtualpaymentaddress',
  'bankaccountnumber',
  'firstname',
  'middlename',
  'lastname',
  'fullname',
  'gstin',
  'line1',
  'line2',
  'holdername',
  'reportdata',
  'mobilenumber',
  'emailid',
  'addressl3',
  'aaid',
  'gender',
  'statementupload',
  'ip',
  'longdesc',
  'ifsc',
  'city',
  'pincode',
  'areacode',
  'gps',
  'ckyc',
  'ckycnumber',
])
/** Objects of which only the personal fields are masked. */
const partlyPersonal = new Set(['body', 'profile', 'workprofile', 'address'])
/** Parents under which `name` is the name of a business or a thing. */
const impersonalParents = new Set([
  'descriptor',
  'provider',
  'lender',
  'lenders',
  'head',
  'tags',
  'list',
  'document',
  'product',
])
/** Codes of network tags whose `value` is personal. */
const personalTags = new Set(['ACCOUNT_HOLDER_NAME', 'FOLIO_ID', 'ACCOUNT_NUMBER', 'IFSC_CODE', 'UPI_ID', 'VPA'])

const maxDepth = 40

/**
 * Masks a document for staff who support journeys. Values of personal fields and tags become `[masked]`, as do PANs,
 * tokens and long numbers in other values. Null stays null.
 */
export function maskedDocument(value: unknown, key = '', parent = '', depth = 0): unknown {
  if (typeof value === 'string') return scrub(value)
  if (typeof value === 'number' && !Number.isSafeInteger(value) && Math.abs(value) >= 1e9) return '[masked]'
  if (typeof value === 'number' && isMobileLike(value)) return '[masked]'
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '[deep]'
  if (Array.isArray(value)) return value.map((inner) => maskedDocument(inner, key, parent, depth + 1))
  const tag = isObject(value) && 'descriptor' in value && isObject(value.descriptor) ? value.descriptor : null
  const isPersonalTag = tag !== null && 'code' in tag && typeof tag.code === 'string' && personalTags.has(tag.code)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const shouldMask =
        inner !== null && inner !== '' && ((isPersonalTag && name === 'value') || isMaskedField(name, key))
      return [name, shouldMask ? '[masked]' : maskedDocument(inner, name, key, depth + 1)]
    }),
  )
}

/** Whether a number may be a mobile or account number. Amounts of loans are smaller. */
const isMobileLike = (value: number): boolean => Number.isInteger(value) && value >= 6_000_000_000 && value < 1e18

function isMaskedField(name: string, parent: string): boolean {
  const normalized = normalizedName(name)
  if (partlyPersonal.has(normalized)) return false
  if (normalized === 'name') return !impersonalParents.has(parent)
  // `additional_desc.url` is the address of a complaint's attachment.
  if (normalized === 'url') return parent === 'additional_desc'
  return isPersonal(name) || personalInDocuments.has(normalized)
}
