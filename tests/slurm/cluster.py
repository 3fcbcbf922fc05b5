"""A cluster of Slurm on this machine, of ordinary processes: munged, slurmctld and several slurmd, with a folder, ports and a key of its own."""
import getpass
import os
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")


def path_of(program):
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def missing():
    """What is not installed."""
    return [program for program in PROGRAMS if path_of(program) is None]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    def __init__(self, folder, nodes):
        self.folder, self.nodes, self.processes = folder, [f"n{i}" for i in range(nodes)], {}
        self.environment = dict(os.environ, SLURM_CONF=self.path("slurm.conf"))
        control, *ports = free_ports(1 + nodes)
        os.chmod(folder, 0o755)  # munged wants a socket that everybody may reach
        os.makedirs(self.path("munge"), 0o755)
        with open(self.path("munge/key"), "wb") as file:
            file.write(os.urandom(128))
        os.chmod(self.path("munge/key"), 0o400)
        host = socket.gethostname().split(".")[0]
        for name in ("state", *(f"spool-{n}" for n in self.nodes)):
            os.makedirs(self.path(name))
        with open(self.path("slurm.conf"), "w", encoding="utf-8") as file:
            file.write(f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmUser={getpass.getuser()}
SlurmdUser={getpass.getuser()}
AuthType=auth/munge
AuthInfo=socket={self.path('munge/socket')},cred_expire=5
CryptoType=crypto/munge
StateSaveLocation={self.path('state')}
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={self.path('slurmctld.pid')}
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={self.path('slurmctld.log')}
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=5
SlurmctldTimeout=10
InactiveLimit=0
MinJobAge=300
KillWait=2
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
JobRequeue=1
""")
            for node, port in zip(self.nodes, ports):
                file.write(f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 Boards=1 SocketsPerBoard=1 CoresPerSocket=1 ThreadsPerCore=1 State=UNKNOWN\n")
            file.write(f"PartitionName=test Nodes={','.join(self.nodes)} Default=YES MaxTime=INFINITE State=UP\n")

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, name, *command):
        log = open(self.path(name + ".out"), "ab")
        self.processes[name] = subprocess.Popen([path_of(command[0]), *command[1:]], env=dict(self.environment, TANDEM_NODE=name), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        log.close()

    def start_node(self, node):
        self.start(node, "slurmd", "-D", "-N", node, "-f", self.path("slurm.conf"))

    def begin(self):
        self.start("munged", "munged", "--foreground", f"--key-file={self.path('munge/key')}", f"--socket={self.path('munge/socket')}", f"--pid-file={self.path('munge/pid')}",
                   f"--log-file={self.path('munge/log')}", f"--seed-file={self.path('munge/seed')}")
        self.wait(lambda: os.path.exists(self.path("munge/socket")), "munged", 20)
        self.start("slurmctld", "slurmctld", "-D", "-f", self.path("slurm.conf"))
        for node in self.nodes:
            self.start_node(node)
        self.wait(lambda: self.states().count("idle") == len(self.nodes), "nodes", 60)

    def wait(self, ready, what, seconds):
        end = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > end:
                raise RuntimeError(f"{what}: not ready after {seconds} s: {self.states()}\n{self.words()}")
            time.sleep(0.2)

    def words(self):
        """The last words of each log."""
        text = ""
        for name in sorted(os.listdir(self.folder)):
            if name.endswith((".log", ".out")):
                with open(self.path(name), encoding="utf-8", errors="replace") as file:
                    text += name + ": " + " / ".join(file.read().splitlines()[-4:]) + "\n"
        return text

    def run(self, *command):
        return subprocess.run([path_of(command[0]), *command[1:]], env=self.environment, capture_output=True, text=True, check=False, timeout=60).stdout

    def states(self):
        return self.run("sinfo", "--noheader", "--Node", "--format=%t").split()

    def of_node(self, node):
        """Processes of a node: its daemon, and what that runs."""
        found, ours, marks = [], self.folder.encode(), (f"SLURMD_NODENAME={node}".encode(), f"TANDEM_NODE={node}".encode())
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    words = file.read().split(b"\0")
            except OSError:
                continue
            if any(mark in words for mark in marks) and any(ours in word for word in words):
                found.append(int(pid))
        return found

    def take_down(self, node):
        """As when its power goes: the daemon and all that it runs at once. How many processes these were."""
        pids = self.of_node(node)
        for pid in pids:
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass
        self.processes.pop(node).wait()
        # Who watches the nodes says so; slurmctld would find it by itself, in a minute.
        self.run("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=lost")
        return len(pids)

    @staticmethod
    def kill_group(group):
        try:
            os.killpg(group, 9)
        except ProcessLookupError:
            pass

    def end(self):
        for node in self.nodes:
            for pid in self.of_node(node):
                try:
                    os.kill(pid, 9)
                except ProcessLookupError:
                    pass
        for process in reversed(list(self.processes.values())):
            self.kill_group(process.pid)
            process.wait()
        self.processes.clear()
