// Entries of the network registry: the platform's entry, how to rotate its key, and the entry of a lender.
import type { OwnRegistryEntry, RegistryEntry, RegistryKey } from '@lendloom/wire/console/network'
import { labelOf } from '../ui/code-labels.ts'
import { Badge, Breaking, Id, Time } from '../ui/components.tsx'
import { type Column, Rows } from '../ui/list.tsx'
import { registryEntryState } from './lender-texts.ts'

const ownEntryWords = ({ state, isKeyKnown }: OwnRegistryEntry) =>
  state === 'unreached'
    ? (['plain', 'The registry did not answer'] as const)
    : isKeyKnown
      ? (['good', 'The registry has our key'] as const)
      : (['bad', 'The registry does not have our key'] as const)

/** Open by default only if the registry does not have our key, because few visitors need it. */
export function OwnEntryPart({ own }: { own: OwnRegistryEntry }) {
  const [tone, text] = ownEntryWords(own)
  return (
    <details class="card own-entry" open={tone === 'bad' || own.endsSoon}>
      <summary>
        The platform on the network&ensp;<Badge tone={tone}>{text}</Badge>
      </summary>
      <dl class="facts upright">
        <div>
          <dt>Subscriber</dt>
          <dd>
            <Id value={own.subscriberId} whole />
          </dd>
        </div>
        <div>
          <dt>Reached at</dt>
          <dd class="address">{own.url}</dd>
        </div>
        <div>
          <dt>Key</dt>
          <dd>
            <Id value={own.keyId} whole /> <span class="quiet">fingerprint</span> <code>{own.fingerprint}</code>
          </dd>
        </div>
        <div>
          <dt>Registry</dt>
          <dd class="address">{own.registryUrl}</dd>
        </div>
        <div>
          <dt>Next rotation</dt>
          <dd>
            {own.rotateBy ? (
              <>
                by <Time at={own.rotateBy} />, thirty days before the key expires
              </>
            ) : (
              <span class="quiet">unknown until the registry has the key</span>
            )}
          </dd>
        </div>
      </dl>
      <Entry entry={own} />
      <KeyRotation />
    </details>
  )
}

const KeyRotation = () => (
  <>
    <h3>Rotate the key</h3>
    <ol class="steps">
      <li>
        Create a key pair and choose its ID. Add it in the registry’s portal next to the current key, valid from today.
      </li>
      <li>
        When this page shows both keys, set <code>NETWORK_SIGNING_KEY</code>, <code>NETWORK_ENCRYPTION_KEY</code> and{' '}
        <code>NETWORK_KEY_ID</code> and restart every process.
      </li>
      <li>
        Let the old key expire at the registry. Lenders cache keys for a few minutes, and verify earlier messages with
        the old key.
      </li>
    </ol>
    <p class="quiet">You cannot change keys here. They are settings of the platform and belong in a secret store.</p>
  </>
)

const columns: Column<RegistryKey>[] = [
  { head: 'Key', cell: ({ keyId }) => <Id value={keyId} whole /> },
  {
    head: 'Status',
    isState: true,
    cell: ({ status }) => <Badge tone={status === 'SUBSCRIBED' ? 'good' : 'warn'}>{labelOf(status)}</Badge>,
  },
  {
    head: 'Fingerprint',
    isMinor: true,
    cell: ({ fingerprint }) => <code title={fingerprint}>{`${fingerprint.slice(0, 8)}…`}</code>,
  },
  {
    head: 'Role',
    isMinor: true,
    cell: ({ type, domain }) => <span class="nowrap">{`${type} · ${domain ?? 'any domain'}`}</span>,
  },
  { head: 'URL', isMinor: true, cell: ({ url }) => <Breaking text={url ?? '–'} /> },
  { head: 'From', isMinor: true, cell: ({ validFrom }) => <Time at={validFrom} /> },
  { head: 'Until', isNumber: true, cell: ({ validUntil }) => <Time at={validUntil} /> },
]

/** A registry entry with its keys, and a notice if it has a problem. */
export const Entry = ({ entry }: { entry: RegistryEntry }) => {
  const [tone, text] = registryEntryState(entry)
  return (
    <>
      {(entry.endsSoon || entry.state === 'unreached') && (
        <div class={`notice ${tone === 'bad' ? 'bad' : 'warn'}`}>
          <p>
            {text}.{' '}
            {entry.state === 'missing' && 'We cannot verify its messages, so we reject them until it has subscribed.'}
            {entry.state === 'unreached' &&
              'The registry did not answer within three seconds, or rejected the request. Cached keys stay valid. Reload the page to try again.'}
          </p>
        </div>
      )}
      {entry.keys.length > 0 && (
        <Rows label="Keys in the registry" items={entry.keys} columns={columns} keyOf={(key) => key.keyId + key.type} />
      )}
    </>
  )
}
