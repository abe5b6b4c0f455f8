// Removes personal data from network messages for reports to the network, by the schemas of the messages.

import { maskedNote } from '@lendloom/foundation/mask'
import { fieldsOf, isObject, isOneOf, ownValue } from '@lendloom/foundation/record'
import { type TSchema, Type } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { contexts, dialectIn, NetworkError } from './context.ts'
import { extraSchemas } from './extra/extra-messages.ts'
import { isIgmAction } from './igm/actions.ts'
import { igmCodecs, igmVersionOf } from './igm/codec.ts'
import { isAction, isExtraAction } from './sequence.ts'
import { impersonalEntriesOf, TagGroup } from './tags.ts'
import { messageSchemas as messages203 } from './v203/schema.ts'
import { schemaOf as schemaOf230 } from './v230/schema.ts'

export const hidden = '***'

/** Hides what the schema marks as personal or does not know, and any text that contains an identifier such as a PAN. */
export function anonymized(action: string, body: unknown): Record<string, unknown> {
  const { context, message, error } = fieldsOf(body)
  const dialect = dialectIn(body)
  const schema = isIgmAction(action)
    ? igmCodecs[igmVersionOf(message)].schemas[action]
    : isExtraAction(action)
      ? extraSchemas[action]
      : isAction(action)
        ? dialect === '2.3.0'
          ? schemaOf230(action, message)
          : messages203[action]
        : Type.Unknown()
  return {
    context: anonymizedBy(contexts[dialect], context),
    ...(message !== undefined && { message: anonymizedBy(schema, message) }),
    ...(error !== undefined && { error: anonymizedBy(NetworkError, error) }),
  }
}

interface SchemaParts {
  properties?: Record<string, TSchema>
  patternProperties?: Record<string, TSchema>
  items?: TSchema
  type?: string | string[]
  'x-personal'?: true
}

export const anonymizedError = ({ code, type }: NetworkError): NetworkError => {
  const hide = (text: string): string => (isIdentifying(text) ? hidden : text)
  return { code: hide(code), ...(type !== undefined && { type: hide(type) }) }
}

/** The recursion is limited by the depth of the schema: what the schema does not know is replaced as a whole. */
function anonymizedBy(schema: TSchema, value: unknown): unknown {
  if (value === null) return null
  const { properties, patternProperties, items, type, 'x-personal': isPersonal }: SchemaParts = schema
  if (isPersonal) return hidden
  if (schema === TagGroup) return anonymizedTags(value)
  if (items) return Array.isArray(value) ? value.map((item) => anonymizedBy(items, item)) : hidden
  const [other] = Object.values(patternProperties ?? {})
  if (properties || other)
    return isObject(value) ? anonymizedFields(value, (name) => ownValue(properties ?? {}, name) ?? other) : hidden
  const kind = Number.isInteger(value) ? ['integer', 'number'] : [typeof value]
  return [type].flat().some((each) => isOneOf(kind, each)) && !isIdentifying(String(value)) ? value : hidden
}

/** Omits a field whose unknown name may itself be personal. */
const anonymizedFields = (
  fields: Record<string, unknown>,
  schemaOf: (name: string) => TSchema | undefined,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const schema = schemaOf(name)
      return isCode(name) ? [[name, schema ? anonymizedBy(schema, value) : hidden]] : []
    }),
  )

/** Only values of official entries without personal data stay. Names and codes of other entries are a lender's own. */
function anonymizedTags(value: unknown): unknown {
  const { descriptor, display, list } = fieldsOf(value)
  const entries = impersonalEntriesOf(fieldsOf(descriptor).code)
  return {
    descriptor: anonymizedDescriptor(descriptor, entries !== null),
    ...(typeof display === 'boolean' && { display }),
    list: Array.isArray(list)
      ? list.map((entry) => {
          const { descriptor: of, value: text } = fieldsOf(entry)
          const isOfficial = entries !== null && isOneOf(entries, fieldsOf(of).code)
          return {
            descriptor: anonymizedDescriptor(of, isOfficial),
            value: isOfficial ? anonymizedBy(TagGroup.properties.list.items.properties.value, text) : hidden,
          }
        })
      : hidden,
  }
}

function anonymizedDescriptor(descriptor: unknown, isOfficial: boolean): unknown {
  if (isOfficial) return anonymizedBy(TagGroup.properties.descriptor, descriptor)
  const { code } = fieldsOf(descriptor)
  return { code: typeof code === 'string' && isCode(code) ? code : hidden }
}

const maxLength = 1000

const isIdentifying = (text: string): boolean =>
  text.length > maxLength ||
  (!/^[A-Za-z\s_.,:;/()&-]*$/.test(text) &&
    !isUuid(text) &&
    [text, text.replace(/[-_.]/g, ' ')].some((words) => maskedNote(words) !== words))

const isCode = (name: string): boolean => /^[A-Za-z_]\w{0,49}$/.test(name) && !isIdentifying(name)
