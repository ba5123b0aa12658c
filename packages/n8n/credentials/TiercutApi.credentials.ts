import type { ICredentialType, IDataObject, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

/** The address of a service, and a key where it asks for one. */
export class TiercutApi implements ICredentialType {
  name = 'tiercutApi';
  displayName = 'Tiercut API';
  icon = 'file:../tiercut.svg' as const;
  documentationUrl = 'https://github.com/OWNER/tiercut/blob/main/docs/guides/authentication.md';

  properties: INodeProperties[] = [
    {
      displayName: 'Address',
      name: 'url',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://video.example.org',
      description: 'The address of the service, without a path of its API',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'Leave it empty if the service has no keys',
    },
  ];

  /** Adds the address and the key to a request of the nodes. */
  async authenticate({ url, apiKey }: IDataObject, options: IHttpRequestOptions): Promise<IHttpRequestOptions> {
    const authorization = apiKey === '' || apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const baseURL = String(url).trim().replace(/\/+$/, '');
    return { ...options, baseURL, headers: { ...options.headers, ...authorization } };
  }

  test = { request: { url: '/usage', method: 'GET' } satisfies IHttpRequestOptions };
}
