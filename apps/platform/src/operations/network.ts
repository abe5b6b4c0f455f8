// What the command line may do with our entry at the network, its messages and transcripts.

export { readInbound } from '#platform/lenders/network/inbound/store.ts'
export {
  authorizationHeader,
  domainsOf,
  identityOf,
  type NetworkContext,
} from '#platform/lenders/network/own-identity.ts'
export { callLookup, findParticipants, participantsIn } from '#platform/lenders/network/registry.ts'
export {
  entryFault,
  isValid,
  type OwnNetworkEntry,
  ownEntry,
  ownEntryFrom,
  ownKeyIn,
  periodWords,
} from '#platform/lenders/network/registry-entry.ts'
export { networkNames, networkSettings } from '#platform/lenders/network/settings.ts'
export { tenantOfJourney } from '#platform/lenders/network/store.ts'
export {
  encryptionPublicKey,
  registryEncryptionKey,
  signingPublicKey,
  subscribe,
  verificationPage,
} from '#platform/lenders/network/subscribe.ts'
export { type TranscriptMessage, transcriptOf } from '#platform/lenders/network/transcript.ts'
