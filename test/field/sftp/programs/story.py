"""story.py <paramiko|asyncssh> <action> <port> <user> <key> <local> <folder> <name> <result> <local result>"""

import asyncio
import posixpath
import sys

library, action, port, user, key, local, folder, name, result, local_result = sys.argv[1:]
final = posixpath.join(folder, name)


class BrokenOff(Exception):
    pass


def with_paramiko():
    import paramiko

    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    client.connect(
        "127.0.0.1", int(port), user, key_filename=key, look_for_keys=False, allow_agent=False
    )
    sftp = client.open_sftp()

    def break_off(sent, _size):
        if sent > 100_000:
            raise BrokenOff

    if action == "interrupt":
        try:
            sftp.put(local, final + ".tmp", callback=break_off)
        except BrokenOff:
            pass
    if action == "mkdir":
        try:
            sftp.mkdir(folder)
        except OSError:
            sftp.stat(folder)
    if action in ("upload", "mkdir"):
        sftp.put(local, final)
    if action in ("rename", "interrupt"):
        sftp.put(local, final + ".tmp")
        sftp.posix_rename(final + ".tmp", final)
        # A file that is open may be renamed too, and chmod and utime follow an upload.
        sftp.chmod(final, 0o640)
        sftp.utime(final, None)
        sftp.truncate(final, sftp.stat(final).st_size)
    if action == "download":
        sftp.get(result, local_result)
    client.close()


async def with_asyncssh():
    import asyncssh

    options = {"known_hosts": None, "client_keys": [key], "agent_path": None, "config": None}
    async with asyncssh.connect("127.0.0.1", int(port), username=user, **options) as connection:
        async with connection.start_sftp_client() as sftp:

            def break_off(_source, _target, sent, _size):
                if sent > 100_000:
                    raise BrokenOff

            if action == "interrupt":
                try:
                    await sftp.put(local, final + ".tmp", progress_handler=break_off)
                except BrokenOff:
                    pass
            if action == "mkdir":
                await sftp.makedirs(folder, exist_ok=True)
            if action in ("upload", "mkdir"):
                await sftp.put(local, final, preserve=True)
            if action in ("rename", "interrupt"):
                await sftp.put(local, final + ".tmp")
                await sftp.rename(final + ".tmp", final)
                await sftp.stat(final)
            if action == "download":
                await sftp.get(result, local_result)


if library == "paramiko":
    with_paramiko()
else:
    asyncio.run(with_asyncssh())
