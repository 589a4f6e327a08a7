"""Python imports this at its start when the folder is on PYTHONPATH: it shuts the network off.

The tests' notebooks run under it. An audit hook sees every connection that Python code opens, by
whatever library; a kernel talks to its client through ZeroMQ, which opens its own.
"""

import socket
import sys

REFUSED = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
ADDRESSED = {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind"}


def refuse(event, arguments):
    """Raise on name look-ups and on sockets that leave the process by an internet address."""
    if event in REFUSED or (
        event in ADDRESSED and arguments[0].family in {socket.AF_INET, socket.AF_INET6}
    ):
        raise PermissionError(f"a notebook must not use the network: {event} {arguments[1:]}")


sys.addaudithook(refuse)
