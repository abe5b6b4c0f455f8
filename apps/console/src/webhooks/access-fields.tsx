// The fields for what an endpoint's server demands beside the signature.
import { Field, TextArea } from '../ui/form.tsx'
import type { TypedAccess } from './access-texts.ts'

interface FieldBinding {
  value: string
  fault: string | undefined
  onValue(value: string): void
}

interface AccessFieldsProps {
  bind(name: keyof TypedAccess): FieldBinding
  isOpen?: boolean
}

export const AccessFields = ({ bind, isOpen = false }: AccessFieldsProps) => {
  const isFaulty = (['headers', 'tokenUrl', 'clientId', 'clientSecret', 'scope'] as const).some(
    (name) => bind(name).fault !== undefined,
  )
  return (
    <details class="access" open={isOpen || isFaulty}>
      <summary>Headers or a token that your server demands</summary>
      <TextArea
        label="Headers"
        hint="One a line, such as X-Api-Key: 12345. Afterwards only the last four characters are shown."
        rows={2}
        spellcheck={false}
        {...bind('headers')}
      />
      <Field
        label="Token URL"
        hint="For OAuth client credentials. We ask here for a token, and send it with each update."
        {...bind('tokenUrl')}
      />
      <Field label="Client ID" {...bind('clientId')} />
      <Field label="Client secret" type="password" autoComplete="off" {...bind('clientSecret')} />
      <Field label="Scope" hint="May be empty." {...bind('scope')} />
    </details>
  )
}
