import { createHash, randomBytes } from 'node:crypto';
import {
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { TiercutError } from '../../../client/src/tiercut-error.ts';
import { verifyWebhook } from '../../../client/src/verify-webhook.ts';
import { isFound, requestJson } from '../../requests.ts';

/** Starts a workflow with each signed event of the service. */
export class TiercutTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Tiercut Trigger',
    name: 'tiercutTrigger',
    icon: { light: 'file:../../tiercut.svg', dark: 'file:../../tiercut.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when a video is ready or has failed',
    defaults: { name: 'Tiercut Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'tiercutApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: ['export.completed', 'export.failed'],
        description: 'The events of all exports and batches of the key that start the workflow',
        options: [
          { name: 'Batch Completed', value: 'batch.completed' },
          { name: 'Export Cancelled', value: 'export.cancelled' },
          { name: 'Export Completed', value: 'export.completed' },
          { name: 'Export Failed', value: 'export.failed' },
          { name: 'Format Completed', value: 'output.completed' },
          { name: 'Format Failed', value: 'output.failed' },
          { name: 'Sending to a Destination Failed', value: 'destination.failed' },
          { name: 'Sent to a Destination', value: 'destination.sent' },
          { name: 'Short Completed', value: 'short.completed' },
        ],
      },
    ],
  };

  webhookMethods = {
    default: {
      /** True only with the secret at hand: nobody else could check the events. */
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { secret } = this.getWorkflowStaticData('node');
        return typeof secret === 'string' && (await isFound(this, { url: addressOf(this) }));
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const secret = `whsec_${randomBytes(24).toString('base64')}`;
        const body = { url: receiverOf(this), events: this.getNodeParameter('events') as string[], secret };
        await requestJson(this, { method: 'PUT', url: addressOf(this), body });
        this.getWorkflowStaticData('node').secret = secret;
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await isFound(this, { method: 'DELETE', url: addressOf(this) });
        delete this.getWorkflowStaticData('node').secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { headers, rawBody } = this.getRequestObject();
    const { secret } = this.getWorkflowStaticData('node');
    try {
      const event = await verifyWebhook(headers, new Uint8Array(rawBody ?? []), String(secret));
      return { workflowData: [[{ json: { id: headers['webhook-id'], ...event } }]] };
    } catch (error) {
      if (!(error instanceof TiercutError)) throw new NodeOperationError(this.getNode(), (error as Error).message);
      this.getResponseObject().status(401).send(error.message);
      return { noWebhookResponse: true };
    }
  }
}

/** Where the service sends the events. */
function receiverOf(context: IHookFunctions): string {
  const url = context.getNodeWebhookUrl('default');
  if (url === undefined) throw new NodeOperationError(context.getNode(), 'n8n gave this node no webhook URL.');
  return url;
}

/** The registered webhook: a name for each receiver, so that a test does not replace the one in use. */
function addressOf(context: IHookFunctions): string {
  return `/webhooks/n8n-${createHash('sha256').update(receiverOf(context)).digest('hex').slice(0, 24)}`;
}
