// The API reference: each operation with its fields and a code sample that contains the platform's URL and the user's key.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Applications, NewKeyReply } from '#contract/console/developers.ts'
import { languages, type SampleLanguage, sampleOf } from '#kit/http/samples.ts'
import { get, post } from '../api.ts'
import { me, ofTenant } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { Field, Form, useForm } from '../ui/form.tsx'
import { Rows } from '../ui/list.tsx'
import { Empty, Loading, SmallButton, Trouble, useCopy } from '../ui/parts.tsx'
import { fieldsOf, groupsOf, type OperationView, type ReferenceDocument } from './operations.ts'
import { canManage } from './rights.ts'

const storageKey = 'console-language'

function storedLanguage(): SampleLanguage {
  try {
    return languages.find(([each]) => each === localStorage.getItem(storageKey))?.[0] ?? 'curl'
  } catch {
    return 'curl'
  }
}

/** @public loaded by a dynamic import. */
export function Reference() {
  const reference = useSignal<ReferenceDocument | null>(null)
  const failed = useSignal(false)
  const search = useSignal('')
  // The API key stays in memory only, never in the browser's storage.
  const key = useSignal('')
  const language = useSignal<SampleLanguage>(storedLanguage())
  const load = () => {
    failed.value = false
    fetch('/openapi.json')
      .then(async (response) => assign(reference, await response.json()))
      .catch(() => assign(failed, true))
  }
  useEffect(load, [])
  if (failed.value) return <Trouble error={new Error('The API reference could not be loaded.')} retry={load} />
  if (!reference.value) return <Loading />
  const groups = groupsOf(reference.value, search.value)
  return (
    <>
      <KeyCard value={key.value} onValue={(value) => assign(key, value)} />
      <div class="filters spread reference">
        <input
          type="search"
          aria-label="Search operations"
          placeholder="Search operations"
          value={search.value}
          onInput={(event) => assign(search, event.currentTarget.value)}
        />
        <Languages value={language.value} onValue={(value) => assign(language, value)} />
      </div>
      {groups.length === 0 && <Empty title="No operations match" />}
      {groups.map(({ name, about, operations }) => (
        <section key={name}>
          <h2>{name}</h2>
          <p class="quiet">{about}</p>
          {operations.map((each) => (
            <OperationItem key={each.id} operation={each} apiKey={key.value} language={language.value} />
          ))}
        </section>
      ))}
    </>
  )
}

function Languages({ value, onValue }: { value: SampleLanguage; onValue(value: SampleLanguage): void }) {
  const choose = (next: SampleLanguage) => {
    onValue(next)
    try {
      localStorage.setItem(storageKey, next)
    } catch {
      // Without storage, the choice lasts until the page is closed.
    }
  }
  return (
    <fieldset class="filters languages">
      <legend class="unseen">Language of the samples</legend>
      {languages.map(([each, name]) => (
        <button
          key={each}
          type="button"
          class="secondary small"
          aria-pressed={each === value}
          onClick={() => choose(each)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}

function KeyCard({ value, onValue }: { value: string; onValue(value: string): void }) {
  const act = useForm([])
  async function createKey(): Promise<void> {
    const { items } = await get<Applications>(ofTenant('/developers/applications'))
    const scopes = ['sessions', 'webhooks', ...(me.value?.sandbox ? ['sandbox'] : [])]
    const body = {
      label: 'API reference, for a day',
      applicationId: items[0]?.applicationId,
      scopes,
      expiresInDays: 1,
    }
    const { apiKey } = await post<NewKeyReply>(ofTenant('/developers/keys'), body)
    onValue(apiKey)
  }
  const field = (
    <Field
      label="Your API key"
      hint="We fill it into the samples. It stays in the memory of this page and is deleted when you leave."
      type="password"
      autoComplete="off"
      value={value}
      onValue={(text) => onValue(text.trim())}
    />
  )
  return (
    <section class="card">
      {canManage() ? (
        <Form act={act} onSubmit={createKey} button="Create a key for this page, valid for a day">
          {field}
        </Form>
      ) : (
        field
      )}
    </section>
  )
}

interface ItemProps {
  operation: OperationView
  apiKey: string
  language: SampleLanguage
}

function OperationItem({ operation, apiKey, language }: ItemProps) {
  const isOpen = useSignal(false)
  const { method, path, summary } = operation
  return (
    <details class="operation" onToggle={(event) => assign(isOpen, event.currentTarget.open)}>
      <summary>
        <code class="method">{method}</code> <code>{path}</code> <span class="quiet">{summary}</span>
      </summary>
      {isOpen.value && <OperationDetails operation={operation} apiKey={apiKey} language={language} />}
    </details>
  )
}

function OperationDetails({ operation, apiKey, language }: ItemProps) {
  const { operationId, method, path, about, scheme, headers, body } = operation
  const isKey = scheme === 'apiKey'
  const token = isKey ? apiKey || 'YOUR_API_KEY' : 'SESSION_TOKEN'
  const call = { operationId, scheme, method, path, baseUrl: location.origin, token, headers, body }
  const fields = fieldsOf(operation)
  return (
    <>
      {about && <p>{about}</p>}
      {!isKey && <p class="quiet small">Requires a borrower’s token, which the headless session returns.</p>}
      <Sample text={sampleOf(language, call)} />
      {fields.length > 0 && (
        <Rows
          label={`Fields of ${method} ${path}`}
          items={fields}
          keyOf={(field) => `${field.place} ${field.name}`}
          columns={[
            {
              head: 'Field',
              cell: ({ name, isRequired, text }) => (
                <>
                  <code>{name}</code> {isRequired && <strong class="small">required</strong>}
                  <div class="quiet small">{text}</div>
                </>
              ),
            },
            { head: 'In', isMinor: true, cell: ({ place }) => place },
          ]}
        />
      )}
    </>
  )
}

function Sample({ text }: { text: string }) {
  const [isCopied, copy] = useCopy(text)
  return (
    <div class="sample">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <SmallButton onClick={copy}>{isCopied ? 'Copied' : 'Copy'}</SmallButton>
    </div>
  )
}
